import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { RowsDifference } from '../api/generated';
import { count } from '../format';
import { Literal, Mark, Sides } from './Sides';

/** Rows that are missing or too many. */
export function Rows(props: {
  trans: TranslationBundle;
  difference: RowsDifference;
}): React.ReactElement {
  const { trans, difference } = props;
  return (
    <Sides
      trans={trans}
      caption={trans.__(
        '%1 rows expected, %2 there',
        count(difference.expected_rows),
        count(difference.actual_rows)
      )}
      expected={
        <RowList
          trans={trans}
          rows={difference.missing}
          side="expected"
          none={trans.__('none is missing')}
        />
      }
      actual={
        <RowList
          trans={trans}
          rows={difference.extra}
          side="actual"
          none={trans.__('none is too many')}
        />
      }
    />
  );
}

function RowList(props: {
  trans: TranslationBundle;
  rows: string[];
  side: 'expected' | 'actual';
  none: string;
}): React.ReactElement {
  if (props.rows.length === 0) {
    return <p className="jp-Exeds-hint">{props.none}</p>;
  }
  return (
    <ul className="jp-Exeds-rows">
      {props.rows.map((row, place) => (
        <li key={place}>
          <Mark side={props.side}>
            <Literal trans={props.trans} text={row} />
          </Mark>
        </li>
      ))}
    </ul>
  );
}
