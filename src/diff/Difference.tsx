import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { Difference } from '../api/generated';
import { Cells } from './Cells';
import { Columns } from './Columns';
import { Expression } from './Expression';
import { Order } from './Order';
import { Pair } from './Pair';
import { Rows } from './Rows';
import { Statement } from './Statement';
import { Text } from './Text';

export interface IDifferenceProps {
  trans: TranslationBundle;
  difference: Difference;
}

/** One difference, rendered by its kind; the union is closed. */
export function DifferenceView(props: IDifferenceProps): React.ReactElement {
  const { trans, difference } = props;
  switch (difference.kind) {
    case 'cells':
      return <Cells trans={trans} difference={difference} />;
    case 'rows':
      return <Rows trans={trans} difference={difference} />;
    case 'columns':
      return <Columns trans={trans} difference={difference} />;
    case 'order':
      return <Order trans={trans} difference={difference} />;
    case 'text':
      return <Text trans={trans} difference={difference} />;
    case 'expression':
      return <Expression trans={trans} difference={difference} />;
    case 'changed':
    case 'absent':
      return <Statement trans={trans} difference={difference} />;
    case 'value':
    case 'shape':
    case 'dtype':
    case 'index':
    case 'name':
    case 'type':
    case 'form':
    case 'missing_kind':
    case 'exception':
    case 'incomparable':
      return <Pair trans={trans} difference={difference} />;
  }
}
