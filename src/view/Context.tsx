import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type {
  ContextCell,
  Problem,
  Prompt,
  ValueDescription
} from '../api/generated';
import { cellNumber, count, estimateTokens, firstLine, shape } from '../format';
import { Block } from './Block';
import { ProblemNotice } from './ProblemNotice';
import { PromptView } from './PromptView';

export interface IContextCell {
  cell: ContextCell;
  chosen: boolean;
}

export interface IContextVariable {
  name: string;
  description: ValueDescription;
  chosen: boolean;
}

export interface IContextProps {
  trans: TranslationBundle;
  cells: IContextCell[];
  variables: IContextVariable[];
  variablesProblem: Problem | null;
  /** The exact prompt; null while it is not shown. */
  prompt: Prompt | null;
  onCell(id: string, chosen: boolean): void;
  onVariable(name: string, chosen: boolean): void;
  onPrompt(): void;
}

/** The cells and variables that go into the prompt. */
export function Context(props: IContextProps): React.ReactElement {
  const { trans } = props;
  return (
    <Block
      title={trans.__('Context')}
      summary={summary(props)}
      actions={
        <button
          type="button"
          className="jp-Exeds-link"
          aria-pressed={props.prompt !== null}
          onClick={props.onPrompt}
        >
          {props.prompt
            ? trans.__('Hide prompt')
            : trans.__('Show exact prompt')}
        </button>
      }
    >
      <div className="jp-Exeds-columns">
        <Cells {...props} />
        <Variables {...props} />
      </div>
      {props.variablesProblem && (
        <ProblemNotice trans={trans} problem={props.variablesProblem} />
      )}
      {props.prompt && <PromptView trans={trans} prompt={props.prompt} />}
    </Block>
  );
}

function summary(props: IContextProps): string {
  const { trans } = props;
  const cells = props.cells.filter(item => item.chosen);
  const variables = props.variables.filter(item => item.chosen);
  const tokens =
    cells.reduce((sum, item) => sum + estimateTokens(item.cell.source), 0) +
    variables.reduce((sum, item) => sum + variableTokens(item), 0);
  return trans.__(
    '%1, %2 · ~%3 tokens',
    trans._n('%1 cell', '%1 cells', cells.length),
    trans._n('%1 variable', '%1 variables', variables.length),
    count(tokens)
  );
}

/** A variable is described by its columns, or else by what it looks like. */
function variableTokens(item: IContextVariable): number {
  const { columns, preview, type } = item.description;
  const text = columns
    ? columns.map(c => `${c.name}: ${c.dtype} ${c.example ?? ''}\n`).join('')
    : preview;
  return estimateTokens(`${item.name}: ${type}\n${text}`);
}

function Cells(props: IContextProps): React.ReactElement {
  const { trans } = props;
  if (props.cells.length === 0) {
    return (
      <p className="jp-Exeds-hint">{trans.__('No cells before the task.')}</p>
    );
  }
  return (
    <ul className="jp-Exeds-ticks" aria-label={trans.__('Cells')}>
      {props.cells.map(({ cell, chosen }) => (
        <li key={cell.id}>
          <label className="jp-Exeds-tick" title={cell.source}>
            <input
              type="checkbox"
              checked={chosen}
              onChange={event => props.onCell(cell.id, event.target.checked)}
            />
            <span className="jp-Exeds-tickName">
              {cell.kind === 'markdown'
                ? '¶'
                : cellNumber(cell.execution_count)}
            </span>
            <span className="jp-Exeds-tickText">
              {firstLine(cell.source, 48)}
            </span>
            <span className="jp-Exeds-tickNote">
              {cell.edited_since_run
                ? trans.__('edited since run')
                : count(estimateTokens(cell.source))}
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}

function Variables(props: IContextProps): React.ReactElement {
  const { trans } = props;
  if (props.variables.length === 0) {
    return (
      <p className="jp-Exeds-hint">
        {trans.__('No variables yet: run the cells that load the data.')}
      </p>
    );
  }
  return (
    <ul className="jp-Exeds-ticks" aria-label={trans.__('Variables')}>
      {props.variables.map(item => (
        <li key={item.name}>
          <label className="jp-Exeds-tick" title={hover(item.description)}>
            <input
              type="checkbox"
              checked={item.chosen}
              onChange={event =>
                props.onVariable(item.name, event.target.checked)
              }
            />
            <span className="jp-Exeds-tickName">{item.name}</span>
            <span className="jp-Exeds-tickText">
              {item.description.type} {shape(item.description)}
            </span>
            <span className="jp-Exeds-tickNote">
              {count(variableTokens(item))}
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}

function hover(value: ValueDescription): string {
  return value.columns
    ? value.columns.map(column => `${column.name}: ${column.dtype}`).join('\n')
    : value.preview;
}
