import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { CellsDifference } from '../api/generated';
import { count } from '../format';
import { short } from './Pair';
import { Literal, Mark } from './Sides';

/** Cells of a table that differ, one a line, both sides marked. */
export function Cells(props: {
  trans: TranslationBundle;
  difference: CellsDifference;
}): React.ReactElement {
  const { trans, difference } = props;
  const { cells, total } = difference;
  const caption = captionOf(difference, trans);
  return (
    <div className="jp-Exeds-diff" role="group" aria-label={caption}>
      <p className="jp-Exeds-diffCaption">{caption}</p>
      <div
        className="jp-Exeds-scroll"
        tabIndex={0}
        role="group"
        aria-label={caption}
      >
        <table className="jp-Exeds-table">
          <thead>
            <tr>
              <th scope="col">{trans.__('Row')}</th>
              <th scope="col">{trans.__('Column')}</th>
              <th scope="col">{trans.__('Expected')}</th>
              <th scope="col">{trans.__('Actual')}</th>
              <th scope="col">{trans.__('Off by')}</th>
            </tr>
          </thead>
          <tbody>
            {cells.map(cell => (
              <tr key={`${cell.row}-${cell.column}`}>
                <th scope="row">{cell.row_label}</th>
                <td>{cell.column}</td>
                <td>
                  <Mark side="expected">
                    <Literal trans={trans} text={cell.expected} />
                  </Mark>
                </td>
                <td>
                  <Mark side="actual">
                    <Literal trans={trans} text={cell.actual} />
                  </Mark>
                </td>
                <td>{cell.abs_error === null ? '' : short(cell.abs_error)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > cells.length && (
        <p className="jp-Exeds-hint">
          {trans.__('and %1 more', count(total - cells.length))}
        </p>
      )}
    </div>
  );
}

function captionOf(
  difference: CellsDifference,
  trans: TranslationBundle
): string {
  const cells = trans._n(
    '%1 cell differs',
    '%1 cells differ',
    difference.total
  );
  const how = [
    difference.rows === 'sorted' ? trans.__('rows sorted on both sides') : '',
    difference.columns === 'position'
      ? trans.__('columns matched by position')
      : ''
  ].filter(part => part !== '');
  return how.length === 0 ? cells : `${cells} (${how.join(', ')})`;
}
