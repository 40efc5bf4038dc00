import type { TranslationBundle } from '@jupyterlab/translation';
import type {
  ComparePolicy,
  FailureKind,
  ValueDescription,
  Verdict
} from './api/generated';

/** Seconds as people read them: `0.05 s`, `2.4 s`, `1 min 5 s`. */
export function seconds(value: number): string {
  if (value < 1) {
    return `${value.toFixed(2)} s`;
  }
  if (value < 60) {
    return `${value.toFixed(1)} s`;
  }
  const whole = Math.round(value);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** A whole number with thousands separators. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1,204×7`; empty for a value without a shape. */
export function shape(value: ValueDescription): string {
  return value.shape ? value.shape.map(count).join('×') : '';
}

/** The first line that says something, cut to a length. */
export function firstLine(text: string, length = 60): string {
  const line =
    text
      .split('\n')
      .map(part => part.trim())
      .find(part => part !== '') ?? '';
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** The last line of code that calls something, else the first line: what it comes down to. */
export function lastCall(code: string): string {
  const lines = code.split('\n').map(line => line.trim());
  const calls = lines.filter(line => /\w\(/.test(line));
  return firstLine(calls[calls.length - 1] ?? code);
}

/** The prompt of a cell: `[3]`, `[ ]` when it never ran. */
export function cellNumber(executionCount: number | null): string {
  return executionCount === null ? '[ ]' : `[${executionCount}]`;
}

/** Local time of day of an ISO date: `12:04`; empty when it is no date. */
export function timeOfDay(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) {
    return '';
  }
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

const LETTERS_PER_TOKEN = 6;
const PIECES = /[A-Za-z]+|\n[ \t]*|[ \t]+|[\s\S]/gu;

/** The estimated number of tokens, counted as in `exeds_lab/prompt/tokens.py`. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    tokens += pieceTokens(piece);
  }
  return tokens;
}

function pieceTokens(piece: string): number {
  if (/^[A-Za-z]/.test(piece)) {
    return Math.ceil(piece.length / LETTERS_PER_TOKEN);
  }
  if (piece[0] === ' ' || piece[0] === '\t') {
    return piece.length === 1 ? 0 : 1;
  }
  return (piece.codePointAt(0) ?? 0) < 0x10000 ? 1 : 2;
}

/** How a verdict looks and what it is called; never told by colour alone. */
export interface IBadge {
  sign: string;
  label: string;
  tone: 'good' | 'near' | 'bad' | 'plain';
}

/** The badge of a verdict. */
export function badge(verdict: Verdict, trans: TranslationBundle): IBadge {
  switch (verdict.status) {
    case 'passed':
      return { sign: '✔', label: trans.__('Passed'), tone: 'good' };
    case 'partial':
      return {
        sign: '◐',
        label: trans.__('%1 of %2 checks', verdict.passed, verdict.total),
        tone: 'near'
      };
    case 'failed':
      return {
        sign: '✖',
        label: failureLabel(verdict.failure, trans),
        tone: 'bad'
      };
    case 'unchecked':
      return { sign: '○', label: trans.__('Ran, not checked'), tone: 'plain' };
    case 'not_run':
      return {
        sign: '–',
        label: verdict.failure
          ? failureLabel(verdict.failure, trans)
          : trans.__('Not run'),
        tone: 'plain'
      };
  }
}

/** The kind of a failure, in words. */
export function failureLabel(
  failure: FailureKind | null,
  trans: TranslationBundle
): string {
  const labels: Record<FailureKind, string> = {
    wrong_value: trans.__('Wrong value'),
    wrong_shape: trans.__('Wrong shape'),
    wrong_columns: trans.__('Wrong columns'),
    wrong_type: trans.__('Wrong type'),
    wrong_order: trans.__('Wrong order'),
    wrong_form: trans.__('Right value, wrong form'),
    error: trans.__('Error'),
    timed_out: trans.__('Timed out'),
    killed: trans.__('Killed'),
    no_code: trans.__('No code'),
    unwanted_change: trans.__('Unwanted change'),
    cannot_compare: trans.__('Cannot compare')
  };
  return failure ? labels[failure] : trans.__('Failed');
}

/** What the button says that lets a near miss pass; the key is a field of the policy. */
export function acceptLabel(field: string, trans: TranslationBundle): string {
  const labels: Record<keyof ComparePolicy, string> = {
    check_row_order: trans.__('Accept any row order'),
    check_column_order: trans.__('Accept any column order'),
    check_column_names: trans.__('Accept other column names'),
    check_dtypes: trans.__('Accept other data types'),
    check_index: trans.__('Accept any index'),
    check_names: trans.__('Accept other names'),
    check_container: trans.__('Accept another form'),
    check_missing_kind: trans.__('Accept any missing value'),
    rel_tol: trans.__('Accept this error'),
    abs_tol: trans.__('Accept this error'),
    check_case: trans.__('Ignore upper and lower case'),
    check_whitespace: trans.__('Ignore blanks')
  };
  return isPolicyField(field, labels)
    ? labels[field]
    : trans.__('Accept this difference');
}

function isPolicyField(
  field: string,
  labels: Record<keyof ComparePolicy, string>
): field is keyof ComparePolicy {
  return Object.prototype.hasOwnProperty.call(labels, field);
}

/** The policy as one line: what is looked at strictly and what is let pass. */
export function policyLine(
  policy: ComparePolicy,
  trans: TranslationBundle
): string {
  const words = [
    policy.check_row_order
      ? trans.__('row order matters')
      : trans.__('any row order'),
    policy.check_column_order
      ? trans.__('column order matters')
      : trans.__('any column order'),
    policy.check_column_names
      ? trans.__('column names matter')
      : trans.__('column names ignored'),
    policy.rel_tol === 0 && policy.abs_tol === 0
      ? trans.__('exact numbers')
      : `±${policy.rel_tol}`
  ];
  return words.join(' · ');
}
