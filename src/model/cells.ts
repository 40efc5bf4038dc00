import type { CodeCellModel, ICellModel } from '@jupyterlab/cells';
import type { INotebookModel } from '@jupyterlab/notebook';
import type { ContextCell } from '../api/generated';

/** A cell as the panel needs it. */
export interface ICellView {
  /** What goes over the wire. */
  cell: ContextCell;
  /** Whether it runs now, or waits to. */
  running: boolean;
  /** Whether it has outputs, from which an expectation could be taken. */
  hasOutput: boolean;
}

/** The code and markdown cells of a notebook, in order, and which one has the cursor. */
export interface INotebookView {
  cells: ICellView[];
  /** Id of the active cell; null when it is none of `cells`. */
  active: string | null;
}

/** Read a notebook. */
export function readNotebook(
  model: INotebookModel | null,
  active: ICellModel | null
): INotebookView {
  const cells: ICellView[] = [];
  for (const cell of model?.cells ?? []) {
    if (cell.type === 'code') {
      cells.push(codeView(cell as CodeCellModel));
    } else if (cell.type === 'markdown') {
      cells.push(markdownView(cell));
    }
  }
  return { cells, active: active?.id ?? null };
}

/** Place of the task: the markdown cell at the cursor or the nearest before it; -1 if none. */
export function taskPlace(view: INotebookView): number {
  let place = view.cells.findIndex(({ cell }) => cell.id === view.active);
  while (place >= 0 && view.cells[place].cell.kind !== 'markdown') {
    place -= 1;
  }
  return place;
}

/** The cells before a task; all of them when the task has no cell. */
export function cellsBefore(
  view: INotebookView,
  taskCellId: string | null
): ICellView[] {
  const place = view.cells.findIndex(({ cell }) => cell.id === taskCellId);
  const before = place < 0 ? view.cells : view.cells.slice(0, place);
  return before.filter(({ cell }) => cell.source.trim() !== '');
}

/**
 * Whether a cell goes into the prompt unless the user says otherwise: what was edited since it
 * ran, or never ran in a notebook where others did, is not what the kernel holds.
 */
export function chosenByDefault(cell: ContextCell, anyRan: boolean): boolean {
  if (cell.kind === 'markdown') {
    return true;
  }
  return !anyRan || (cell.execution_count !== null && !cell.edited_since_run);
}

function markdownView(model: ICellModel): ICellView {
  return {
    cell: {
      id: model.id,
      kind: 'markdown',
      source: model.sharedModel.getSource(),
      execution_count: null,
      edited_since_run: false
    },
    running: false,
    hasOutput: false
  };
}

function codeView(model: CodeCellModel): ICellView {
  return {
    cell: {
      id: model.id,
      kind: 'code',
      source: model.sharedModel.getSource(),
      execution_count: model.executionCount ?? null,
      edited_since_run: model.isDirty
    },
    running: model.executionState === 'running',
    hasOutput: model.outputs.length > 0
  };
}

/** The last value of a cell as text, else what it printed; empty when there is neither. */
export function outputText(
  model: INotebookModel | null,
  cellId: string
): string {
  for (const cell of model?.cells ?? []) {
    if (cell.id === cellId && cell.type === 'code') {
      return textOf(cell as CodeCellModel);
    }
  }
  return '';
}

function textOf(model: CodeCellModel): string {
  let printed = '';
  let value = '';
  for (const output of model.sharedModel.getOutputs()) {
    if (output.output_type === 'stream') {
      printed += joined(output.text);
    } else if (output.output_type === 'execute_result') {
      value = joined((output.data as Record<string, unknown>)['text/plain']);
    }
  }
  return value || printed;
}

/** nbformat text: a string or a list of lines. */
function joined(text: unknown): string {
  if (Array.isArray(text)) {
    return text.map(String).join('');
  }
  return typeof text === 'string' ? text : '';
}
