import type { Cell } from '@jupyterlab/cells';
import type { Notebook, NotebookPanel } from '@jupyterlab/notebook';
import { NotebookActions } from '@jupyterlab/notebook';
import type { ISignal } from '@lumino/signaling';
import { Signal } from '@lumino/signaling';
import type { IClient } from '../api/client';
import type {
  ComparePolicy,
  Problem,
  Provenance,
  Variable
} from '../api/generated';
import { toProblem } from '../api/problem';
import type { INotebookView } from './cells';
import { cellsBefore, outputText, readNotebook, taskPlace } from './cells';
import { indexOf, insertCode } from './insert';
import { KernelWatch } from './kernel';
import { Work } from './work';

/** What a session needs to know of the panel. */
export interface ISessionServer {
  /** The server's default policy; null until it is known. */
  policy: ComparePolicy | null;
  isShown: boolean;
}

/** What insertion found: the new cell's id, or why there is none. */
export type Inserted = 'inserted' | 'gone' | 'read-only' | 'not-judged';

/**
 * All that the panel knows of one notebook. Each markdown cell has a task of its own; the task
 * shown follows the cursor while nothing of the one shown would be lost.
 */
export class Session {
  /**
   * @param panel - The notebook.
   * @param server - What is known of the server, and whether anybody looks: a notebook is read and
   *   its kernel asked only for a panel that is shown.
   */
  constructor(
    readonly panel: NotebookPanel,
    private readonly _client: IClient,
    private readonly _server: () => ISessionServer
  ) {
    this.kernel = new KernelWatch(panel.sessionContext);
    this.kernel.changed.connect(this._onKernel, this);
    panel.content.activeCellChanged.connect(this._onNotebook, this);
    panel.content.modelContentChanged.connect(this._onNotebook, this);
    NotebookActions.executionScheduled.connect(this._onScheduled, this);
    NotebookActions.executed.connect(this._onExecuted, this);
    this._view = this._read();
    this._work = this._workOf(this.cursorTask);
  }

  readonly kernel: KernelWatch;

  /** Emitted when anything of the notebook or its tasks changed. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get view(): INotebookView {
    return this._view;
  }

  /** The task shown. */
  get work(): Work {
    return this._work;
  }

  get variables(): Variable[] {
    return this._variables;
  }

  /** Why the variables could not be had; null when they could. */
  get variablesProblem(): Problem | null {
    return this._variablesProblem;
  }

  /** The source of the cell that runs now; null when none does. */
  get runningCell(): string | null {
    return this._view.cells.find(item => item.running)?.cell.source ?? null;
  }

  /** Id of the task's cell at the cursor; null when there is no markdown before it. */
  get cursorTask(): string | null {
    const place = taskPlace(this._view);
    return place < 0 ? null : this._view.cells[place].cell.id;
  }

  /** Show the task at the cursor, whatever is shown now. */
  followCursor(): void {
    this._show(this._workOf(this.cursorTask));
  }

  /** Show the specification that an inserted cell keeps. */
  open(provenance: Provenance): void {
    const work = this._workOf(provenance.task_cell_id);
    work.load(provenance);
    this._show(work);
  }

  /** The panel was shown: read what was missed. */
  async shown(): Promise<void> {
    this._onNotebook();
    await this.refreshVariables();
  }

  /** The output of a cell as text. */
  outputText(cellId: string): string {
    return outputText(this.panel.content.model, cellId);
  }

  /** Ask the kernel for its variables; a busy kernel is asked when it is done. */
  refreshVariables(): Promise<void> {
    this._refreshed = this._askForVariables();
    return this._refreshed;
  }

  /**
   * Insert the candidate shown below its task, as one undo step.
   *
   * @param anywhere - Whether to insert below the active cell when the task's cell is gone.
   */
  insert(anywhere: boolean): Inserted {
    const { content } = this.panel;
    const item = this._work.selected;
    const provenance = item && this._work.provenance(item);
    if (!item?.candidate || !provenance) {
      return 'not-judged';
    }
    if (!content.model || content.model.readOnly) {
      return 'read-only';
    }
    const index = this.place(anywhere);
    if (index === null) {
      return 'gone';
    }
    const { sharedModel } = content.model;
    insertCode(sharedModel, index, item.candidate.code, provenance);
    content.activeCellIndex = index;
    return 'inserted';
  }

  /** Where a candidate would go; null when the task's cell is gone. */
  place(anywhere: boolean): number | null {
    const { content } = this.panel;
    const id = this._work.taskCellId;
    const task =
      id !== null && content.model
        ? indexOf(content.model.sharedModel, id)
        : content.activeCellIndex;
    if (task < 0) {
      return anywhere ? content.activeCellIndex + 1 : null;
    }
    return task + 1;
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._works.forEach(work => work.dispose());
    this.kernel.dispose();
    Signal.clearData(this);
  }

  private _workOf(taskCellId: string | null): Work {
    let work = this._works.get(taskCellId);
    if (!work) {
      work = new Work(taskCellId, this._client, () => ({
        notebook: this.panel.context.path,
        kernelId: this.kernel.id,
        cells: cellsBefore(this._view, taskCellId),
        cellText:
          this._view.cells.find(({ cell }) => cell.id === taskCellId)?.cell
            .source ?? '',
        variables: this._variables,
        known: this._refreshed,
        policy: this._server().policy
      }));
      work.changed.connect(this._emit, this);
      this._works.set(taskCellId, work);
    }
    return work;
  }

  private async _askForVariables(): Promise<void> {
    const kernelId = this.kernel.id;
    const generation = ++this._generation;
    if (
      kernelId === null ||
      this.runningCell !== null ||
      !this._server().isShown
    ) {
      return;
    }
    let variables: Variable[] = [];
    let problem: Problem | null = null;
    try {
      const reply = await this._client.variables({ kernel_id: kernelId });
      variables = reply.variables;
    } catch (error) {
      problem = toProblem(error);
    }
    if (generation === this._generation && !this.panel.isDisposed) {
      this._variables = variables;
      this._variablesProblem = problem;
      this._work.expectation.invalidate();
    }
  }

  private _show(work: Work): void {
    this._work = work;
    this._emit();
  }

  private _read(): INotebookView {
    const { model, activeCell } = this.panel.content;
    return readNotebook(model, activeCell?.model ?? null);
  }

  private _onNotebook(): void {
    if (!this._server().isShown) {
      return;
    }
    this._view = this._read();
    if (this._work.isPristine && this._work.taskCellId !== this.cursorTask) {
      this._work = this._workOf(this.cursorTask);
    }
    this._emit();
  }

  private _onKernel(): void {
    const { id } = this.kernel;
    const { kind } = this.kernel.state;
    if (id !== this._kernelId || kind === 'restarted' || kind === 'dead') {
      this._kernelId = id;
      this._variables = [];
      void this.refreshVariables();
    }
    this._emit();
  }

  private _onScheduled(_: unknown, args: { notebook: Notebook }): void {
    if (args.notebook === this.panel.content) {
      this._onNotebook();
    }
  }

  private _onExecuted(
    _: unknown,
    args: { notebook: Notebook; cell: Cell }
  ): void {
    if (args.notebook === this.panel.content) {
      this.kernel.cellRan();
      this._onNotebook();
      void this.refreshVariables();
    }
  }

  private _emit(): void {
    this._changed.emit();
  }

  private _view: INotebookView;
  private _work: Work;
  private _kernelId: string | null = null;
  private _variables: Variable[] = [];
  private _variablesProblem: Problem | null = null;
  private _generation = 0;
  private _refreshed: Promise<void> = Promise.resolve();
  private _isDisposed = false;
  private readonly _works = new Map<string | null, Work>();
  private readonly _changed = new Signal<this, void>(this);
}
