import type { TranslationBundle } from '@jupyterlab/translation';
import { isRunning } from '../model/attempt';
import type { PanelModel } from '../model/panel';
import type { Session } from '../model/session';
import { cellsBefore } from '../model/cells';
import type { INotebookProps } from '../view/Panel';
import type { RenderBundle } from '../view/Rendered';

/** What the views may ask for that is not the model's. */
export interface IShellActions {
  startKernel(): void;
  restartKernel(): void;
  runAbove(): void;
  insert(): void;
  place(shown: boolean): void;
  edit(editing: boolean): void;
}

export interface IPropsOptions {
  model: PanelModel;
  session: Session;
  trans: TranslationBundle;
  render: RenderBundle;
  actions: IShellActions;
  isEditing: boolean;
}

/** What the blocks show of a notebook, read off the model. */
export function notebookProps(options: IPropsOptions): INotebookProps {
  const { session } = options;
  const { kernel } = session;
  return {
    notebook: session.panel.context.localPath.split('/').pop() ?? '',
    kernel: kernel.label,
    problem: session.work.problem,
    status: statusProps(options),
    task: taskProps(options),
    context: contextProps(options),
    expected: expectedProps(options),
    controls: controlsProps(options),
    result: resultProps(options)
  };
}

function statusProps(options: IPropsOptions): INotebookProps['status'] {
  const { session, trans, actions, model } = options;
  return {
    trans,
    kernel: session.kernel.state,
    runningCell: session.runningCell,
    isRunning: session.work.runner.isRunning,
    onStartKernel: actions.startKernel,
    onRestartKernel: actions.restartKernel,
    onRunAbove: actions.runAbove,
    onCancel: () => model.stop()
  };
}

function taskProps(options: IPropsOptions): INotebookProps['task'] {
  const { session, trans } = options;
  const { work } = session;
  return {
    trans,
    intent: work.intent,
    hasCell: work.taskCellId !== null,
    isTyped: work.isTyped,
    isElsewhere: session.cursorTask !== work.taskCellId,
    onIntent: text => work.setIntent(text),
    onFollow: () => session.followCursor()
  };
}

function contextProps(options: IPropsOptions): INotebookProps['context'] {
  const { session, trans, model } = options;
  const { work } = session;
  return {
    trans,
    cells: cellsBefore(session.view, work.taskCellId).map(view => ({
      cell: view.cell,
      chosen: work.isCellChosen(view)
    })),
    variables: session.variables.map(variable => ({
      ...variable,
      chosen: work.isVariableChosen(variable)
    })),
    variablesProblem: model.problem ? null : session.variablesProblem,
    prompt: work.prompt,
    onCell: (id, chosen) => work.chooseCell(id, chosen),
    onVariable: (name, chosen) => work.chooseVariable(name, chosen),
    onPrompt: () => void work.togglePrompt(model.count)
  };
}

function expectedProps(options: IPropsOptions): INotebookProps['expected'] {
  const { session, trans, model, render } = options;
  const { work } = session;
  const { expectation } = work;
  return {
    trans,
    render,
    draft: expectation.draft,
    expectation: expectation.expectation,
    problem: model.problem ? null : expectation.problem,
    pending: expectation.pending,
    policy: expectation.draft.policy ?? model.status?.policy ?? null,
    presets: model.status?.presets ?? {},
    variables: session.variables.map(item => item.name),
    outputs: session.view.cells
      .filter(view => view.hasOutput)
      .map(({ cell }) => ({
        id: cell.id,
        executionCount: cell.execution_count,
        source: cell.source
      })),
    guarded: work.protectable.map(item => ({
      name: item.name,
      on: work.isProtected(item)
    })),
    onDraft: change => expectation.set(change),
    onOutput: (cellId, executionCount) =>
      expectation.set({
        text: session.outputText(cellId),
        output: { cellId, executionCount }
      }),
    onPolicy: policy => expectation.set({ policy }),
    onGuard: (name, on) => work.protect(name, on)
  };
}

function controlsProps(options: IPropsOptions): INotebookProps['controls'] {
  const { session, trans, model } = options;
  const { work } = session;
  return {
    trans,
    isRunning: work.runner.isRunning,
    started: work.runner.state.started,
    count: model.count,
    generator: model.status?.generator ?? null,
    blocked: blockedBy(options),
    onGenerate: () => void model.generate(),
    onStop: () => model.stop(),
    onCount: count => work.setCount(count)
  };
}

/** Why nothing can be generated now; null when it can. */
function blockedBy(options: IPropsOptions): string | null {
  const { session, trans, model } = options;
  if (model.problem) {
    return trans.__('The server does not answer.');
  }
  if (session.work.intent.trim() === '') {
    return trans.__('Say first what the code should do.');
  }
  return session.work.expectation.problem
    ? trans.__('The expected result cannot be read.')
    : null;
}

function resultProps(options: IPropsOptions): INotebookProps['result'] {
  const { session, trans, model, render, actions } = options;
  const { work } = session;
  const { state } = work.runner;
  return {
    trans,
    render,
    phase: state.phase,
    items: state.candidates,
    selected: work.selected,
    duration: state.duration,
    problem: state.problem,
    isRunning: isRunning(state),
    isEditing: options.isEditing,
    onSelect: index => {
      actions.edit(false);
      work.select(index);
    },
    onRetry: () => void model.generate(),
    onAccept: field => void work.accept(field),
    onInsert: actions.insert,
    onPlace: actions.place,
    onEdit: actions.edit,
    onCheck: code => {
      actions.edit(false);
      void model.check(code);
    }
  };
}
