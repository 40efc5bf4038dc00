import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { CheckFacts, CheckResult } from '../api/generated';
import { DifferenceView } from '../diff/Difference';
import { Sides } from '../diff/Sides';
import type { RenderBundle } from './Rendered';
import { Rendered } from './Rendered';
import { bundleOf } from './values';

export interface IComparisonProps {
  trans: TranslationBundle;
  results: CheckResult[];
  render: RenderBundle;
}

/** Each check with what differs; then expected beside actual as the notebook shows them. */
export function Comparison(props: IComparisonProps): React.ReactElement {
  return (
    <div className="jp-Exeds-comparison">
      {props.results.map(result => (
        <Check key={result.check} {...props} result={result} />
      ))}
    </div>
  );
}

function Check(
  props: IComparisonProps & { result: CheckResult }
): React.ReactElement {
  const { trans, result } = props;
  return (
    <section className="jp-Exeds-check" aria-label={result.check}>
      <p className="jp-Exeds-checkName">
        <span
          className={`jp-Exeds-badge jp-mod-${result.passed ? 'good' : 'bad'}`}
          aria-hidden="true"
        >
          {result.passed ? '✔' : '✖'}
        </span>{' '}
        {result.check}{' '}
        <span className="jp-Exeds-hint">
          {result.passed ? trans.__('holds') : trans.__('does not hold')}
        </span>
      </p>
      {result.counted.map((difference, place) => (
        <DifferenceView key={place} trans={trans} difference={difference} />
      ))}
      {result.tolerated.length > 0 && (
        <details className="jp-Exeds-tolerated">
          <summary>
            {trans._n(
              '%1 difference that does not count',
              '%1 differences that do not count',
              result.tolerated.length
            )}
          </summary>
          {result.tolerated.map((difference, place) => (
            <DifferenceView key={place} trans={trans} difference={difference} />
          ))}
        </details>
      )}
      {result.facts && <Values {...props} facts={result.facts} />}
    </section>
  );
}

/** Both values, as the notebook would show them. */
function Values(
  props: IComparisonProps & { facts: CheckFacts }
): React.ReactElement | null {
  const { trans, facts, render } = props;
  if (!facts.expected && !facts.actual) {
    return null;
  }
  const side = (value: CheckFacts['expected'], label: string) =>
    value ? (
      <Rendered bundle={bundleOf(value)} render={render} label={label} />
    ) : (
      <p className="jp-Exeds-hint">{trans.__('no value')}</p>
    );
  return (
    <Sides
      trans={trans}
      caption={trans.__('As the notebook shows it')}
      expected={side(facts.expected, trans.__('Expected value'))}
      actual={side(facts.actual, trans.__('Actual value'))}
    />
  );
}
