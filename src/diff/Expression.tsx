import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { ExpressionDifference } from '../api/generated';
import { Literal } from './Sides';

/** A check that is not true, with the values of its parts. */
export function Expression(props: {
  trans: TranslationBundle;
  difference: ExpressionDifference;
}): React.ReactElement {
  const { trans, difference } = props;
  const caption =
    difference.error === null
      ? trans.__('Not true')
      : trans.__('The check itself raised %1', difference.error);
  return (
    <div className="jp-Exeds-diff" role="group" aria-label={caption}>
      <p className="jp-Exeds-diffCaption">
        {caption}: <Literal trans={trans} text={difference.expression} />
      </p>
      {difference.values.length > 0 && (
        <table className="jp-Exeds-table">
          <thead>
            <tr>
              <th scope="col">{trans.__('Part')}</th>
              <th scope="col">{trans.__('Value')}</th>
            </tr>
          </thead>
          <tbody>
            {difference.values.map(([part, value], place) => (
              <tr key={place}>
                <td>
                  <Literal trans={trans} text={part} />
                </td>
                <td>
                  <Literal trans={trans} text={value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
