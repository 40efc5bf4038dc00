import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type {
  DtypeDifference,
  ExceptionDifference,
  FormDifference,
  IncomparableDifference,
  IndexDifference,
  MissingKindDifference,
  NameDifference,
  ShapeDifference,
  TypeDifference,
  ValueDifference
} from '../api/generated';
import { Literal, Mark, Sides } from './Sides';

type PairDifference =
  | ValueDifference
  | ShapeDifference
  | DtypeDifference
  | IndexDifference
  | NameDifference
  | TypeDifference
  | FormDifference
  | MissingKindDifference
  | ExceptionDifference
  | IncomparableDifference;

/** A difference of two short texts. */
export function Pair(props: {
  trans: TranslationBundle;
  difference: PairDifference;
}): React.ReactElement {
  const { trans, difference } = props;
  return (
    <Sides
      trans={trans}
      caption={caption(difference, trans)}
      expected={
        <Mark side="expected">
          <Literal trans={trans} text={difference.expected} />
        </Mark>
      }
      actual={
        <Mark side="actual">
          <Literal trans={trans} text={difference.actual} />
        </Mark>
      }
    />
  );
}

function caption(difference: PairDifference, trans: TranslationBundle): string {
  switch (difference.kind) {
    case 'value':
      return valueCaption(difference, trans);
    case 'shape':
      return trans.__('Another shape');
    case 'dtype':
      return difference.column === ''
        ? trans.__('Another data type')
        : trans.__('Another data type in column %1', difference.column);
    case 'index':
      return trans.__('Another index');
    case 'name':
      return difference.what === 'series'
        ? trans.__('Another name of the series')
        : trans.__('Another name of the index');
    case 'type':
      return trans.__('Another type');
    case 'form':
      return trans.__(
        'The right value in another form: %1',
        difference.conversion
      );
    case 'missing_kind':
      return trans.__('Another kind of missing value at %1', difference.path);
    case 'exception':
      return trans.__('Another exception');
    case 'incomparable':
      return trans.__('Cannot be compared: %1', difference.why);
  }
}

function valueCaption(
  difference: ValueDifference,
  trans: TranslationBundle
): string {
  const where = difference.path
    ? trans.__('Another value at %1', difference.path)
    : trans.__('Another value');
  return difference.abs_error === null
    ? where
    : `${where} (${trans.__('off by %1', short(difference.abs_error))})`;
}

/** A number in at most four digits. */
export function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
