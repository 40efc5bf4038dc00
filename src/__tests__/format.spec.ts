import { nullTranslator } from '@jupyterlab/translation';
import {
  acceptLabel,
  badge,
  cellNumber,
  count,
  estimateTokens,
  firstLine,
  lastCall,
  policyLine,
  seconds,
  shape,
  timeOfDay
} from '../format';
import { POLICY, value, verdict } from './records';

const trans = nullTranslator.load('exeds_lab');

it.each([
  [0.049, '0.05 s'],
  [2.44, '2.4 s'],
  [65, '1 min 5 s']
])('%d seconds are written %s', (number, text) => {
  expect(seconds(number)).toBe(text);
});

it('writes numbers, shapes and cell numbers as the panel shows them', () => {
  expect(count(1204)).toBe('1,204');
  expect(shape({ ...value('', null), shape: [1204, 7] })).toBe('1,204×7');
  expect([cellNumber(3), cellNumber(null)]).toEqual(['[3]', '[ ]']);
});

it.each([
  ['x = (\n    df.sum()\n    .head(2)\n)\nx', '.head(2)'],
  ['# nothing\n1 + 1', '# nothing']
])('the code %j comes down to %s', (code, line) => {
  expect(lastCall(code)).toBe(line);
});

it('shortens a text to its first line that says something', () => {
  expect(firstLine('\n\n  # Total revenue per region\nmore', 12)).toBe(
    '# Total rev…'
  );
});

// Counted by exeds_lab.prompt.tokens.estimate.
it.each([
  ['', 0],
  ["df.groupby('city')", 9],
  ['    x = 12\n    y = größe 😀', 14]
])('the tokens of %j are estimated as in Python', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

it('tells the time of day, or nothing for what is no date', () => {
  expect(timeOfDay('2026-11-30T12:04:00')).toBe('12:04');
  expect(timeOfDay('soon')).toBe('');
});

it.each([
  ['passed', null, '✔', 'Passed'],
  ['partial', 'wrong_value', '◐', '1 of 2 checks'],
  ['failed', 'wrong_order', '✖', 'Wrong order'],
  ['unchecked', null, '○', 'Ran, not checked'],
  ['not_run', null, '–', 'Not run'],
  ['not_run', 'no_code', '–', 'No code']
] as const)(
  'a %s verdict (%s) has sign and label',
  (status, failure, sign, label) => {
    const look = badge(
      verdict({ status, failure, passed: 1, total: 2 }),
      trans
    );
    expect([look.sign, look.label]).toEqual([sign, label]);
  }
);

it('names the policy in one line', () => {
  expect(policyLine(POLICY, trans)).toBe(
    'row order matters · column order matters · column names matter · ±1e-9'
  );
});

it('has words for every field that lets a near miss pass, and for one it does not know', () => {
  expect(acceptLabel('check_row_order', trans)).toBe('Accept any row order');
  expect(acceptLabel('toString', trans)).toBe('Accept this difference');
});
