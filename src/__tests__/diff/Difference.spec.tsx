import '@testing-library/jest-dom';
import { nullTranslator } from '@jupyterlab/translation';
import { render, screen } from '@testing-library/react';
import * as React from 'react';
import type { Difference } from '../../api/generated';
import { DifferenceView } from '../../diff/Difference';
import { linesOf, visible } from '../../diff/Text';

const trans = nullTranslator.load('exeds_lab');

function show(difference: Difference): HTMLElement {
  return render(<DifferenceView trans={trans} difference={difference} />)
    .container;
}

/** Texts of the cells of each line. */
function lines(node: HTMLElement): string[][] {
  return Array.from(node.querySelectorAll('tr'), row =>
    Array.from(row.children, cell => cell.textContent ?? '')
  );
}

describe('cells that differ', () => {
  const difference: Difference = {
    kind: 'cells',
    rows: 'sorted',
    columns: 'position',
    cells: [
      {
        row: 1,
        row_label: '1',
        column: 'revenue',
        expected: '15118.0',
        actual: '15119.5',
        abs_error: 1.5
      },
      {
        row: 2,
        row_label: '2',
        column: 'region',
        expected: 'South',
        actual: '',
        abs_error: null
      }
    ],
    total: 260
  };

  it('stand side by side, marked by sign, with how far off they are', () => {
    expect(lines(show(difference))).toEqual([
      ['Row', 'Column', 'Expected', 'Actual', 'Off by'],
      ['1', 'revenue', '−15118.0', '+15119.5', '1.5'],
      ['2', 'region', '−South', '+empty', '']
    ]);
  });

  it('say how many there are, how rows were matched, and what is not shown', () => {
    show(difference);
    expect(
      screen.getAllByRole('group', {
        name: '260 cells differ (rows sorted on both sides, columns matched by position)'
      })
    ).not.toHaveLength(0);
    expect(screen.getByText('and 258 more')).toBeInTheDocument();
  });
});

it('an order names the place where each moved row belongs', () => {
  const node = show({
    kind: 'order',
    axis: 'rows',
    moved: 2,
    expected: ['North', 'South', 'East'],
    actual: ['South', 'North', 'East']
  });
  expect(lines(node)).toEqual([
    ['Place', 'Expected', 'Actual', 'Belongs'],
    ['1', '−North', '+South', '⟵ 2'],
    ['2', '−South', '+North', '⟵ 1'],
    ['3', 'East', 'East', '']
  ]);
});

it('an order of rows without an index matches them by what they mean', () => {
  const node = show({
    kind: 'order',
    axis: 'rows',
    moved: 2,
    expected: ['0: North, 18240.5', '1: South, 15118'],
    actual: ['0: South, 15118.0', '1: North, 18240.5']
  });
  expect(lines(node).slice(1)).toEqual([
    ['1', '−North, 18240.5', '+South, 15118.0', '⟵ 2'],
    ['2', '−South, 15118', '+North, 18240.5', '⟵ 1']
  ]);
});

it('an order with equal rows claims no place for them', () => {
  const node = show({
    kind: 'order',
    axis: 'rows',
    moved: 3,
    expected: ['a', 'a', 'b'],
    actual: ['b', 'a', 'a']
  });
  expect(lines(node).map(line => line[3])).toEqual(['Belongs', '⟵ 3', '', '']);
});

it('a text is compared line by line', () => {
  const node = show({
    kind: 'text',
    expected: 'one\ntwo\n',
    actual: 'one\n2\n',
    only: 'words'
  });
  expect(node.querySelector('pre')?.textContent).toBe(' one\n−two\n+2\n');
});

it('blanks are visible where only they differ', () => {
  const node = show({
    kind: 'text',
    expected: 'a b',
    actual: 'a\tb',
    only: 'whitespace'
  });
  expect(node.querySelector('pre')?.textContent).toBe('−a·b\n+a→b\n');
});

it('lines keep empty ones', () => {
  expect(
    linesOf([{ value: 'a\n\nb\n', count: 3, added: false, removed: false }])
  ).toEqual([
    { tone: 'same', text: 'a' },
    { tone: 'same', text: '' },
    { tone: 'same', text: 'b' }
  ]);
  expect(visible('a \t')).toBe('a·→');
});

it('an expression shows the values of its parts', () => {
  const node = show({
    kind: 'expression',
    expression: 'len(result) == 4',
    values: [['len(result)', '3']],
    error: null
  });
  expect(node).toHaveTextContent('Not true: len(result) == 4');
  expect(lines(node)).toEqual([
    ['Part', 'Value'],
    ['len(result)', '3']
  ]);
});

const EXPECTED = { expected: 'this', actual: 'that' };

it.each<[Difference, string]>([
  [
    {
      kind: 'value',
      path: '[2]',
      abs_error: 0.123456,
      rel_error: null,
      ...EXPECTED
    },
    'Another value at [2] (off by 0.1235)'
  ],
  [{ kind: 'shape', ...EXPECTED }, 'Another shape'],
  [
    { kind: 'dtype', column: 'a', same_kind: false, ...EXPECTED },
    'Another data type in column a'
  ],
  [{ kind: 'index', declared: true, ...EXPECTED }, 'Another index'],
  [{ kind: 'name', what: 'series', ...EXPECTED }, 'Another name of the series'],
  [{ kind: 'type', ...EXPECTED }, 'Another type'],
  [
    { kind: 'form', conversion: 'region is the index', ...EXPECTED },
    'The right value in another form: region is the index'
  ],
  [
    { kind: 'missing_kind', path: "['a']", ...EXPECTED },
    "Another kind of missing value at ['a']"
  ],
  [{ kind: 'exception', ...EXPECTED }, 'Another exception'],
  [
    { kind: 'incomparable', why: 'its __eq__ raises', ...EXPECTED },
    'Cannot be compared: its __eq__ raises'
  ],
  [
    {
      kind: 'rows',
      missing: ['this'],
      extra: ['that'],
      expected_rows: 4,
      actual_rows: 4
    },
    '4 rows expected, 4 there'
  ],
  [{ kind: 'columns', missing: ['this'], extra: ['that'] }, 'Other columns']
])('%j shows both sides, marked', (difference, caption) => {
  const node = show(difference);
  expect(screen.getByRole('group', { name: caption })).toBeInTheDocument();
  expect(
    Array.from(
      node.querySelectorAll('.jp-Exeds-mark'),
      mark => mark.textContent
    )
  ).toEqual(['−this', '+that']);
});

it.each<[Difference, string]>([
  [
    { kind: 'changed', name: 'df', how: '3 rows fewer' },
    'df would be changed: 3 rows fewer'
  ],
  [
    { kind: 'absent', what: 'no last value', hint: 'it was printed' },
    'Nothing to compare: no last value (it was printed)'
  ]
])('%j is said in one sentence', (difference, sentence) => {
  expect(show(difference)).toHaveTextContent(sentence);
});
