import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { Candidate, Outcome, Trial } from '../api/generated';
import { acceptLabel } from '../format';
import type { ICandidateChoices } from './CandidateActions';
import { CandidateActions } from './CandidateActions';
import { Comparison } from './Comparison';
import { Effects } from './Effects';
import type { RenderBundle } from './Rendered';
import { Rendered } from './Rendered';
import { bundleOfOutput } from './values';

export interface ICandidateDetailProps extends ICandidateChoices {
  render: RenderBundle;
  onAccept(field: string): void;
}

/** One candidate: verdict, expected beside actual, code, effects, and what to do with it. */
export function CandidateDetail(
  props: ICandidateDetailProps
): React.ReactElement {
  const { trans, item } = props;
  const { trial } = item;
  const code = item.candidate?.code ?? '';
  return (
    <article
      className="jp-Exeds-detail"
      aria-label={trans.__('Candidate %1', item.index + 1)}
    >
      {trial && <Headline {...props} trial={trial} />}
      {item.candidate && <Remarks candidate={item.candidate} />}
      {trial && (
        <>
          <OutcomeView trans={trans} outcome={trial.execution.outcome} />
          <Comparison
            trans={trans}
            results={trial.verdict.results}
            render={props.render}
          />
        </>
      )}
      {code !== '' && <CandidateActions {...props} code={code} />}
      <Code {...props} code={code} />
      <Outputs {...props} />
      {trial && <Effects trans={trans} execution={trial.execution} />}
    </article>
  );
}

/** Why there is no code, and what the generator says of it. */
function Remarks(props: { candidate: Candidate }): React.ReactElement {
  const { problem, note } = props.candidate;
  return (
    <>
      {problem && <p className="jp-Exeds-warning">{problem}</p>}
      {note && <p className="jp-Exeds-hint">{note}</p>}
    </>
  );
}

function Headline(
  props: ICandidateDetailProps & { trial: Trial }
): React.ReactElement {
  const { trans, trial, item } = props;
  const { accept } = trial.verdict;
  return (
    <p className="jp-Exeds-headline">
      <strong>{trans.__('Candidate %1:', item.index + 1)}</strong>{' '}
      {trial.verdict.headline}{' '}
      {accept !== null && (
        <button
          type="button"
          className="jp-Exeds-link"
          disabled={props.isRunning}
          onClick={() => props.onAccept(accept)}
        >
          {acceptLabel(accept, trans)}
        </button>
      )}
    </p>
  );
}

function OutcomeView(props: {
  trans: TranslationBundle;
  outcome: Outcome;
}): React.ReactElement | null {
  const { trans, outcome } = props;
  switch (outcome.outcome) {
    case 'completed':
      return null;
    case 'raised':
      return (
        <details className="jp-Exeds-outcome" open>
          <summary>
            {outcome.ename}: {outcome.evalue}
            {outcome.line !== null && (
              <> · {trans.__('line %1', outcome.line)}</>
            )}
          </summary>
          <pre tabIndex={0}>{outcome.traceback.join('\n')}</pre>
        </details>
      );
    case 'timed_out':
      return (
        <p className="jp-Exeds-outcome">
          {trans.__('Stopped at its limit of %1 s.', outcome.limit_s)}
          {outcome.line !== null && (
            <> {trans.__('It was at line %1.', outcome.line)}</>
          )}
        </p>
      );
    case 'killed':
    case 'not_run':
      return <p className="jp-Exeds-outcome">{outcome.why}</p>;
  }
}

/** The code, or the reply while it is written. */
function Code(
  props: ICandidateDetailProps & { code: string }
): React.ReactElement | null {
  const { trans, item, code, render } = props;
  if (code === '') {
    const text = item.candidate?.reply ?? item.text;
    return text === '' ? null : (
      <pre className="jp-Exeds-reply" tabIndex={0}>
        {text}
      </pre>
    );
  }
  return (
    <Rendered
      bundle={{ 'text/markdown': fenced(code), 'text/plain': code }}
      render={render}
      label={trans.__('Code of candidate %1', item.index + 1)}
    />
  );
}

/** Code as a markdown block that its own backticks cannot end. */
export function fenced(code: string): string {
  const runs = code.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}python\n${code}\n${fence}`;
}

function Outputs(props: ICandidateDetailProps): React.ReactElement | null {
  const { trans, item, render } = props;
  const outputs = item.outputs.filter(output => output.output_type !== 'error');
  if (outputs.length === 0) {
    return null;
  }
  return (
    <details className="jp-Exeds-outputs" open={item.trial === null}>
      <summary>
        {trans._n('%1 output', '%1 outputs', outputs.length)}
        {item.trial?.execution.truncated && <> · {trans.__('cut')}</>}
      </summary>
      {outputs.map((output, place) => (
        <Rendered
          key={place}
          bundle={bundleOfOutput(output)}
          render={render}
          label={trans.__('Output %1', place + 1)}
        />
      ))}
    </details>
  );
}
