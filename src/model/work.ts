import type { ISignal } from '@lumino/signaling';
import { Signal } from '@lumino/signaling';
import type { IClient } from '../api/client';
import type {
  AttemptRequest,
  ComparePolicy,
  Expectation,
  Prompt,
  Problem,
  Provenance,
  Variable
} from '../api/generated';
import { toProblem } from '../api/problem';
import type { ICandidateState } from './attempt';
import type { ICellView } from './cells';
import { chosenByDefault } from './cells';
import { ExpectationModel } from './expectation';
import { provenanceOf } from './provenance';
import { AttemptRunner } from './runner';

/** What a task sees of its notebook, asked whenever it is needed. */
export interface ISurroundings {
  notebook: string | null;
  kernelId: string | null;
  /** The cells before the task. */
  cells: ICellView[];
  /** Source of the task's cell; empty when there is none. */
  cellText: string;
  variables: Variable[];
  /** Resolves when `variables` are those that the kernel holds now. */
  known: Promise<void>;
  /** Null until the server has told its default. */
  policy: ComparePolicy | null;
}

/** The task of one markdown cell: its wording, context, expectation and attempts. */
export class Work {
  /**
   * @param taskCellId - Null when the task is typed.
   * @param around - What it sees of its notebook.
   */
  constructor(
    readonly taskCellId: string | null,
    private readonly _client: IClient,
    private readonly _around: () => ISurroundings
  ) {
    this.runner = new AttemptRunner(_client);
    this.expectation = new ExpectationModel(_client, () => ({
      kernelId: _around().kernelId,
      unchanged: this.protectedNames,
      policy: _around().policy
    }));
    this.runner.changed.connect(this._emit, this);
    this.expectation.changed.connect(this._emit, this);
  }

  readonly runner: AttemptRunner;
  readonly expectation: ExpectationModel;

  /** Emitted when anything of the task changed. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Whether nothing of it would be lost if another task took its place. */
  get isPristine(): boolean {
    return (
      this._typed === null &&
      !this.expectation.isDeclared &&
      this.runner.state.phase === 'idle'
    );
  }

  /** What is wanted, in the user's words. */
  get intent(): string {
    return this._typed ?? this._around().cellText;
  }

  /** Whether the wording differs from the cell's. */
  get isTyped(): boolean {
    return this._typed !== null;
  }

  /** Word the task here; null takes it from the cell again. */
  setIntent(text: string | null): void {
    this._typed = text;
    this._emit();
  }

  /** Whether a cell goes into the prompt. */
  isCellChosen(view: ICellView): boolean {
    const anyRan = this._around().cells.some(
      ({ cell }) => cell.execution_count !== null
    );
    return this._cells.get(view.cell.id) ?? chosenByDefault(view.cell, anyRan);
  }

  chooseCell(id: string, chosen: boolean): void {
    this._cells.set(id, chosen);
    this._emit();
  }

  /** Whether a variable's description goes into the prompt: tables, and what the task names. */
  isVariableChosen(variable: Variable): boolean {
    return (
      this._variables.get(variable.name) ??
      (variable.description.columns !== null ||
        words(this.intent).has(variable.name))
    );
  }

  chooseVariable(name: string, chosen: boolean): void {
    this._variables.set(name, chosen);
    this.expectation.invalidate();
  }

  /** What code could change in place: all tables, and whatever else was chosen. */
  get protectable(): Variable[] {
    return this._around().variables.filter(
      ({ name, description }) =>
        description.columns !== null ||
        (description.shape !== null && (this._variables.get(name) ?? false))
    );
  }

  /**
   * Whether a variable must not change. Unless the user says otherwise these are the tables, as in
   * `guarded` of `exeds_lab/declare.py`: without the one that the answer goes to, and those named
   * by a task that speaks of changing something.
   */
  isProtected({ name, description }: Variable): boolean {
    const toChange = CHANGING.test(this.intent) && words(this.intent).has(name);
    return (
      this._protected.get(name) ??
      (description.columns !== null &&
        !toChange &&
        name !== this.expectation.draft.target)
    );
  }

  protect(name: string, on: boolean): void {
    this._protected.set(name, on);
    this.expectation.set({});
  }

  /** Names of the variables that must not change. */
  get protectedNames(): string[] {
    return this.protectable
      .filter(item => this.isProtected(item))
      .map(item => item.name);
  }

  /** How many candidates are wanted; null: the server's default. */
  get count(): number | null {
    return this._count;
  }

  setCount(count: number): void {
    this._count = count;
    this._emit();
  }

  /** The candidate shown: the user's choice, else the best, else the first. */
  get selected(): ICandidateState | null {
    const { candidates, best } = this.runner.state;
    const place = this._selected ?? best ?? 0;
    return candidates[place] ?? candidates[0] ?? null;
  }

  select(index: number): void {
    this._selected = index;
    this._emit();
  }

  /** Show the candidate before (-1) or after (1) the one shown. */
  step(by: number): void {
    const last = this.runner.state.candidates.length - 1;
    const place = (this.selected?.index ?? 0) + by;
    this.select(Math.max(0, Math.min(last, place)));
  }

  /** Why the last action failed that is not an attempt; null when it did not. */
  get problem(): Problem | null {
    return this._problem;
  }

  /** The exact prompt as the server would send it; null when it is not shown. */
  get prompt(): Prompt | null {
    return this._prompt;
  }

  /** Show the prompt, or hide it. */
  async togglePrompt(candidates: number): Promise<void> {
    if (this._prompt) {
      this._prompt = null;
      this._emit();
      return;
    }
    await this._guard(async () => {
      const expectation = await this.expectation.current();
      if (expectation) {
        const request = this._request(expectation, candidates, null);
        this._prompt = await this._client.prompt(request);
      }
    });
  }

  /**
   * Generate and check. An expectation that cannot be read starts nothing.
   *
   * @param candidates - How many, unless the user chose.
   * @param code - Code to check instead of generating; null to generate.
   */
  async generate(candidates: number, code: string | null): Promise<void> {
    this._problem = null;
    const place = code === null ? null : this.runner.state.candidates.length;
    await this.runner.run(async signal => {
      await this._around().known;
      const expectation = await this.expectation.current();
      if (signal.aborted || !expectation || this.intent.trim() === '') {
        return null;
      }
      this._used = expectation;
      this._selected = place;
      const request = this._request(expectation, candidates, code);
      this._usedIntent = request.intent;
      return request;
    }, code !== null);
  }

  /** Let a near miss pass: judge all candidates again under the changed policy. */
  async accept(field: string): Promise<void> {
    const used = this._used;
    if (!used) {
      return;
    }
    await this._guard(async () => {
      const policy = loosened(used.policy, field);
      this._used = { ...used, policy };
      await this.runner.judge(this._used);
      this.expectation.usePolicy(policy);
    });
  }

  /** What an inserted cell keeps of a candidate; null when it was not judged. */
  provenance(item: ICandidateState): Provenance | null {
    if (!item.trial || !this._used) {
      return null;
    }
    return provenanceOf(item.trial, {
      intent: this._usedIntent,
      taskCellId: this.taskCellId,
      expectation: this._used,
      promptFingerprint: this.runner.state.prompt?.fingerprint ?? null,
      checked: item.judged ?? new Date().toISOString()
    });
  }

  /** Show the specification of an inserted cell. */
  load(provenance: Provenance): void {
    if (provenance.intent !== this._around().cellText) {
      this._typed = provenance.intent;
    }
    this.expectation.load(provenance.expectation);
  }

  dispose(): void {
    this.runner.dispose();
    this.expectation.dispose();
    Signal.clearData(this);
  }

  private _request(
    expectation: Expectation,
    candidates: number,
    code: string | null
  ): AttemptRequest {
    const around = this._around();
    return {
      intent: this.intent,
      cells: around.cells
        .filter(view => this.isCellChosen(view))
        .map(view => view.cell),
      variables: around.variables
        .filter(item => this.isVariableChosen(item))
        .map(item => item.name),
      notebook: around.notebook,
      cell_id: this.taskCellId,
      kernel_id: around.kernelId,
      expectation,
      candidates: this._count ?? candidates,
      code
    };
  }

  private async _guard(action: () => Promise<void>): Promise<void> {
    this._problem = null;
    try {
      await action();
    } catch (error) {
      this._problem = toProblem(error);
    }
    this._emit();
  }

  private _emit(): void {
    this._changed.emit();
  }

  private _typed: string | null = null;
  private _count: number | null = null;
  private _selected: number | null = null;
  private _problem: Problem | null = null;
  private _prompt: Prompt | null = null;
  /** The expectation of the candidates shown. */
  private _used: Expectation | null = null;
  private _usedIntent = '';
  private readonly _cells = new Map<string, boolean>();
  private readonly _variables = new Map<string, boolean>();
  private readonly _protected = new Map<string, boolean>();
  private readonly _changed = new Signal<this, void>(this);
}

/** Words of a task that is meant to change something. */
const CHANGING =
  /\b(add|append|assign|change|clean|convert|delete|drop|fill|fix|insert|modify|overwrite|remove|rename|replace|set|update)\w*\b|\bin[- ]place\b/i;

/** The policy with one field at its most tolerant; a tolerance grows to a percent. */
export function loosened(policy: ComparePolicy, field: string): ComparePolicy {
  switch (field) {
    case 'check_dtypes':
    case 'check_index':
      return { ...policy, [field]: 'ignored' };
    case 'rel_tol':
    case 'abs_tol':
      return { ...policy, [field]: 0.01 };
    default:
      return { ...policy, [field]: false };
  }
}

function words(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []);
}
