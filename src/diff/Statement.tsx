import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { AbsentDifference, ChangedDifference } from '../api/generated';

/** A difference that one sentence says. */
export function Statement(props: {
  trans: TranslationBundle;
  difference: ChangedDifference | AbsentDifference;
}): React.ReactElement {
  return (
    <div className="jp-Exeds-diff">
      <p className="jp-Exeds-diffCaption">
        <span className="jp-Exeds-sign" aria-hidden="true">
          ✖
        </span>{' '}
        {sentence(props.difference, props.trans)}
      </p>
    </div>
  );
}

function sentence(
  difference: ChangedDifference | AbsentDifference,
  trans: TranslationBundle
): string {
  switch (difference.kind) {
    case 'changed':
      return trans.__(
        '%1 would be changed: %2',
        difference.name,
        difference.how
      );
    case 'absent':
      return difference.hint === null
        ? trans.__('Nothing to compare: %1', difference.what)
        : trans.__(
            'Nothing to compare: %1 (%2)',
            difference.what,
            difference.hint
          );
  }
}
