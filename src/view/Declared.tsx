import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { Check, Expectation, Problem } from '../api/generated';
import { ProblemNotice } from './ProblemNotice';
import type { RenderBundle } from './Rendered';
import { Rendered } from './Rendered';
import { bundleOf } from './values';

export interface IDeclaredProps {
  trans: TranslationBundle;
  expectation: Expectation | null;
  problem: Problem | null;
  pending: boolean;
  render: RenderBundle;
}

/** What was understood of the expectation, or where it could not be read. */
export function Declared(props: IDeclaredProps): React.ReactElement | null {
  const { trans, expectation, problem, pending } = props;
  if (problem) {
    return <ProblemNotice trans={trans} problem={problem} />;
  }
  if (!expectation) {
    return null;
  }
  const checks = expectation.checks.filter(check => check.declared);
  return (
    <div
      className={
        pending ? 'jp-Exeds-declared jp-mod-pending' : 'jp-Exeds-declared'
      }
      aria-busy={pending}
    >
      {expectation.preview.map((value, place) => (
        <Rendered
          key={place}
          bundle={bundleOf(value)}
          render={props.render}
          label={trans.__('What was understood')}
        />
      ))}
      {expectation.preview.length === 0 && (
        <ul className="jp-Exeds-checks">
          {checks.map(check => (
            <li key={check.name}>{inWords(check, trans)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function inWords(check: Check, trans: TranslationBundle): string {
  const { expected } = check;
  switch (expected.kind) {
    case 'expression':
      return expected.expression;
    case 'exception':
      return expected.pattern === null
        ? trans.__('raises %1', expected.type)
        : trans.__('raises %1 matching %2', expected.type, expected.pattern);
    case 'text':
    case 'value':
    case 'table':
    case 'schema':
    case 'unchanged':
      return check.name;
  }
}
