import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { Problem } from '../api/generated';
import type { IAnnouncerProps } from './Announcer';
import { Announcer } from './Announcer';
import type { IContextProps } from './Context';
import { Boundary } from './Boundary';
import { Context } from './Context';
import type { IControlsProps } from './Controls';
import { Controls } from './Controls';
import type { IExpectedProps } from './expectation';
import { Expected } from './Expected';
import { ProblemNotice } from './ProblemNotice';
import type { IResultProps } from './Result';
import { Result } from './Result';
import type { IStatusLineProps } from './StatusLine';
import { StatusLine } from './StatusLine';
import type { ITaskProps } from './Task';
import { Task } from './Task';

/** What the four blocks show of one notebook. */
export interface INotebookProps {
  notebook: string;
  kernel: string;
  status: IStatusLineProps;
  task: ITaskProps;
  context: IContextProps;
  expected: IExpectedProps;
  controls: IControlsProps;
  result: IResultProps;
  /** A failure of the last action that is not an attempt's. */
  problem: Problem | null;
}

export interface IPanelProps {
  trans: TranslationBundle;
  /** Why the server does not answer; null when it does. */
  serverProblem: Problem | null;
  /** Null when no notebook is open. */
  notebook: INotebookProps | null;
  onRetryServer(): void;
}

/** The whole panel: the reading order is the loop. */
export function Panel(props: IPanelProps): React.ReactElement {
  const { trans, notebook } = props;
  return (
    <div className="jp-Exeds-content">
      <header className="jp-Exeds-header">
        <h2 className="jp-Exeds-title">{trans.__('Generate & Check')}</h2>
        {notebook && (
          <span className="jp-Exeds-where">
            {notebook.notebook}
            {notebook.kernel && ` · ${notebook.kernel}`}
          </span>
        )}
      </header>
      {props.serverProblem && (
        <ProblemNotice
          trans={trans}
          problem={props.serverProblem}
          onRetry={props.onRetryServer}
        />
      )}
      {notebook ? (
        <Boundary trans={trans}>
          <Blocks {...notebook} trans={trans} />
        </Boundary>
      ) : (
        <p className="jp-Exeds-empty">
          {trans.__(
            'Open a notebook: its task, cells and variables appear here.'
          )}
        </p>
      )}
    </div>
  );
}

function Blocks(
  props: INotebookProps & { trans: TranslationBundle }
): React.ReactElement {
  const { trans, result } = props;
  const news: IAnnouncerProps = {
    trans,
    phase: result.phase,
    items: result.items
  };
  return (
    <>
      <StatusLine {...props.status} />
      <Task {...props.task} />
      <Context {...props.context} />
      <Expected {...props.expected} />
      <Controls {...props.controls} />
      {props.problem && <ProblemNotice trans={trans} problem={props.problem} />}
      {result.phase !== 'idle' && (
        <div className="jp-Exeds-result">
          <Result {...result} />
        </div>
      )}
      <Announcer {...news} />
    </>
  );
}
