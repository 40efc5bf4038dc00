import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { Problem } from '../api/generated';

export interface IProblemNoticeProps {
  trans: TranslationBundle;
  problem: Problem;
  /** Null where trying again makes no sense. */
  onRetry?(): void;
}

/** A failure of ours: what happened, in which layer, and what to do. */
export function ProblemNotice(props: IProblemNoticeProps): React.ReactElement {
  const { trans, problem, onRetry } = props;
  return (
    <div className="jp-Exeds-problem" role="alert">
      <p className="jp-Exeds-problemReason">
        <span aria-hidden="true">⚠ </span>
        <strong>{problem.name}</strong>
        {problem.layer && (
          <span className="jp-Exeds-layer">
            {trans.__('layer: %1', problem.layer)}
          </span>
        )}{' '}
        {problem.reason}
        {problem.line !== null && (
          <span className="jp-Exeds-where"> {where(trans, problem)}</span>
        )}
      </p>
      <p>{problem.next_step}</p>
      {onRetry && (
        <button type="button" className="jp-Exeds-button" onClick={onRetry}>
          {trans.__('Retry')}
        </button>
      )}
    </div>
  );
}

function where(trans: TranslationBundle, problem: Problem): string {
  return problem.column === null
    ? trans.__('(line %1)', problem.line)
    : trans.__('(line %1, column %2)', problem.line, problem.column);
}
