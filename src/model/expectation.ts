import { Debouncer } from '@lumino/polling';
import type { ISignal } from '@lumino/signaling';
import { Signal } from '@lumino/signaling';
import type { IClient } from '../api/client';
import type {
  ComparePolicy,
  Expectation,
  ExpectationRequest,
  Problem
} from '../api/generated';
import { toProblem } from '../api/problem';

export type ExpectationKind = ExpectationRequest['kind'];

/** What the user has declared so far, as typed. */
export interface IDraft {
  kind: ExpectationKind;
  /** As typed; for `variable` the name, for `output` the text of the cell's output. */
  text: string;
  /** `last`, `stdout` or the name of a variable. */
  target: string;
  /** For `output`: id and number of the cell; null for every other kind. */
  output: { cellId: string; executionCount: number | null } | null;
  onlyRows: boolean;
  onlyColumns: boolean;
  /** Null: the server's default. */
  policy: ComparePolicy | null;
}

export const NOTHING: IDraft = {
  kind: 'none',
  text: '',
  target: 'last',
  output: null,
  onlyRows: false,
  onlyColumns: false,
  policy: null
};

/** What a draft is read with. */
export interface IReading {
  kernelId: string | null;
  unchanged: string[];
  /** Null until the server has told its default. */
  policy: ComparePolicy | null;
}

/** A draft of an expectation, read by the server while the user types. */
export class ExpectationModel {
  /**
   * @param client - The server.
   * @param reading - What the draft is read with, asked at each reading.
   * @param delay - Milliseconds without a change before the draft is read.
   */
  constructor(
    private readonly _client: IClient,
    private readonly _reading: () => IReading,
    delay = 400
  ) {
    this._debouncer = new Debouncer(() => this.read(), delay);
  }

  /** Emitted when draft, expectation, problem or pending changed. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get draft(): IDraft {
    return this._draft;
  }

  /** What was understood; null while there is a problem or nothing was read. */
  get expectation(): Expectation | null {
    return this._expectation;
  }

  /** Why the draft could not be read; null when it could. */
  get problem(): Problem | null {
    return this._problem;
  }

  /** Whether a change waits to be read. */
  get pending(): boolean {
    return this._pending;
  }

  /** Whether the user has declared something. */
  get isDeclared(): boolean {
    return this._draft.kind !== 'none';
  }

  /** Change the draft; it is read when the user pauses. */
  set(change: Partial<IDraft>): void {
    this._draft = { ...this._draft, ...change };
    this._loaded = false;
    this.invalidate();
  }

  /** What the draft is read with has changed; one that was loaded stays as it was stored. */
  invalidate(): void {
    if (this._loaded) {
      return;
    }
    this._pending = true;
    this._changed.emit();
    // A newer change or disposal rejects the older promise; the newer one reads.
    this._debouncer.invoke().catch(() => undefined);
  }

  /** Take over an expectation that was read before (from a cell's metadata). */
  load(expectation: Expectation): void {
    this._draft = draftOf(expectation);
    this._expectation = expectation;
    this._problem = null;
    this._pending = false;
    this._isRead = true;
    this._loaded = true;
    this._generation += 1;
    this._changed.emit();
  }

  /** The expectation under another policy, without reading it again. */
  usePolicy(policy: ComparePolicy): void {
    this._draft = { ...this._draft, policy };
    if (this._expectation) {
      this._expectation = { ...this._expectation, policy };
    }
    this._changed.emit();
  }

  /** The expectation of the draft as it stands now; null when it cannot be read. */
  async current(): Promise<Expectation | null> {
    // A reading that a newer one overtook tells nothing: the newer one is awaited.
    while (!this._isDisposed && (this._pending || !this._isRead)) {
      await this.read();
    }
    return this._problem ? null : this._expectation;
  }

  /** Read the draft now. */
  async read(): Promise<void> {
    const generation = ++this._generation;
    let expectation: Expectation | null = null;
    let problem: Problem | null;
    try {
      const reply = await this._client.expectation(await this._request());
      expectation = reply.expectation;
      problem = reply.problem;
    } catch (error) {
      problem = toProblem(error);
    }
    if (generation !== this._generation || this._isDisposed) {
      return;
    }
    this._expectation = expectation;
    this._problem = problem;
    this._pending = false;
    this._isRead = true;
    this._changed.emit();
  }

  dispose(): void {
    this._isDisposed = true;
    this._debouncer.dispose();
    Signal.clearData(this);
  }

  private async _request(): Promise<ExpectationRequest> {
    const { kernelId, unchanged, policy } = this._reading();
    const draft = this._draft;
    return {
      kind: draft.kind,
      text: draft.text,
      target: draft.target,
      kernel_id: kernelId,
      execution_count: draft.output?.executionCount ?? null,
      unchanged,
      only_rows: draft.onlyRows,
      only_columns: draft.onlyColumns,
      policy: draft.policy ?? policy ?? (await this._client.status()).policy
    };
  }

  private _draft = NOTHING;
  private _expectation: Expectation | null = null;
  private _problem: Problem | null = null;
  private _pending = false;
  private _loaded = false;
  private _isDisposed = false;
  /** Whether expectation or problem say what the server read. */
  private _isRead = false;
  private _generation = 0;
  private readonly _debouncer: Debouncer<void>;
  private readonly _changed = new Signal<this, void>(this);
}

/** A draft that shows a stored expectation. */
export function draftOf(expectation: Expectation): IDraft {
  const check = expectation.checks.find(item => item.declared);
  if (!check) {
    return { ...NOTHING, policy: expectation.policy };
  }
  const { expected, target } = check;
  return {
    kind: kindOf(expectation.origin, expected.kind),
    text: expectation.source,
    target: targetName(target),
    output: null,
    onlyRows: expected.kind === 'table' && expected.only_rows,
    onlyColumns: expected.kind === 'table' && expected.only_columns,
    policy: expectation.policy
  };
}

type Check = Expectation['checks'][number];

function targetName(target: Check['target']): string {
  switch (target.target) {
    case 'last_value':
      return 'last';
    case 'stdout':
      return 'stdout';
    case 'variable':
      return target.name;
  }
}

function kindOf(
  origin: Expectation['origin'],
  kind: Check['expected']['kind']
): ExpectationKind {
  if (origin === 'variable') {
    return 'variable';
  }
  if (origin === 'cell_output') {
    return 'output';
  }
  switch (kind) {
    case 'expression':
      return 'checks';
    case 'unchanged':
      return 'none';
    case 'value':
    case 'table':
    case 'schema':
    case 'text':
    case 'exception':
      return kind;
  }
}
