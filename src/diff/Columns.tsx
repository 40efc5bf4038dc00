import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { ColumnsDifference } from '../api/generated';
import { Literal, Mark, Sides } from './Sides';

/** Columns that are missing, too many or named otherwise. */
export function Columns(props: {
  trans: TranslationBundle;
  difference: ColumnsDifference;
}): React.ReactElement {
  const { trans, difference } = props;
  return (
    <Sides
      trans={trans}
      caption={trans.__('Other columns')}
      expected={list(trans, difference.missing, 'expected')}
      actual={list(trans, difference.extra, 'actual')}
    />
  );
}

function list(
  trans: TranslationBundle,
  names: string[],
  side: 'expected' | 'actual'
): React.ReactElement {
  if (names.length === 0) {
    return <p className="jp-Exeds-hint">{trans.__('no other column')}</p>;
  }
  return (
    <ul className="jp-Exeds-rows">
      {names.map((name, place) => (
        <li key={place}>
          <Mark side={side}>
            <Literal trans={trans} text={name} />
          </Mark>
        </li>
      ))}
    </ul>
  );
}
