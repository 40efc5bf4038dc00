import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { OrderDifference } from '../api/generated';
import { Literal, Mark } from './Sides';

/** Equal content in another order: what stands elsewhere is marked, with the place it belongs. */
export function Order(props: {
  trans: TranslationBundle;
  difference: OrderDifference;
}): React.ReactElement {
  const { trans, difference } = props;
  const expected = withoutPlaces(difference.expected);
  const actual = withoutPlaces(difference.actual);
  const caption =
    difference.axis === 'rows'
      ? trans._n(
          '%1 row is in another place',
          '%1 rows are in another place',
          difference.moved
        )
      : trans._n(
          '%1 column is in another place',
          '%1 columns are in another place',
          difference.moved
        );
  const lines = Array.from({
    length: Math.max(expected.length, actual.length)
  });
  const belongs = placesOf(expected);
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
              <th scope="col">{trans.__('Place')}</th>
              <th scope="col">{trans.__('Expected')}</th>
              <th scope="col">{trans.__('Actual')}</th>
              <th scope="col">{trans.__('Belongs')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((_, place) => (
              <Line
                key={place}
                trans={trans}
                place={place}
                expected={expected[place]}
                actual={actual[place]}
                belongs={belongs.get(meaning(actual[place]))}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Rows without their labels, where these are nothing but their places. */
function withoutPlaces(rows: string[]): string[] {
  const label = (place: number) => `${place}: `;
  return rows.every((row, place) => row.startsWith(label(place)))
    ? rows.map((row, place) => row.slice(label(place).length))
    : rows;
}

/** A row by what it means: `15118` pasted and `15118.0` computed are one number. */
function meaning(row: string | undefined): string {
  return (row ?? '').replace(/(\d)\.0+(?=\D|$)/g, '$1');
}

/** The place of each entry that stands there once. */
function placesOf(entries: string[]): Map<string, number> {
  const places = new Map<string, number>();
  entries.map(meaning).forEach((entry, place) => {
    places.set(entry, places.has(entry) ? NaN : place);
  });
  return places;
}

function Line(props: {
  trans: TranslationBundle;
  place: number;
  expected: string | undefined;
  actual: string | undefined;
  belongs: number | undefined;
}): React.ReactElement {
  const { trans, place, expected, actual, belongs } = props;
  const same = meaning(expected) === meaning(actual);
  const cell = (text: string | undefined, side: 'expected' | 'actual') => {
    if (text === undefined) {
      return null;
    }
    const literal = <Literal trans={trans} text={text} />;
    return same ? literal : <Mark side={side}>{literal}</Mark>;
  };
  const known = belongs !== undefined && !Number.isNaN(belongs) && !same;
  return (
    <tr>
      <th scope="row">{place + 1}</th>
      <td>{cell(expected, 'expected')}</td>
      <td>{cell(actual, 'actual')}</td>
      <td>{known ? `⟵ ${belongs + 1}` : ''}</td>
    </tr>
  );
}
