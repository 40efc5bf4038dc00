import type { ISignal } from '@lumino/signaling';
import { Signal } from '@lumino/signaling';
import type { IClient } from '../api/client';
import type { AttemptRequest } from '../api/generated';
import { localProblem, toProblem } from '../api/problem';
import type { IAttemptState } from './attempt';
import {
  begin,
  failed,
  IDLE,
  isRunning,
  reduce,
  rejudged,
  stopped
} from './attempt';

/** Runs attempts, one at a time, and keeps what arrives. */
export class AttemptRunner {
  constructor(private readonly _client: IClient) {}

  /** Emitted at every event. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get state(): IAttemptState {
    return this._state;
  }

  get isRunning(): boolean {
    return isRunning(this._state);
  }

  /**
   * Run an attempt to its end.
   *
   * @param prepare - Gives the request, for which the kernel may have to be asked; null when
   *   there is nothing to run after all. It is told when it was stopped.
   * @param keep - Whether the candidates so far stay in the list.
   */
  async run(
    prepare: (signal: AbortSignal) => Promise<AttemptRequest | null>,
    keep: boolean
  ): Promise<void> {
    this.stop();
    const control = new AbortController();
    this._control = control;
    const before = this._state;
    this._set(begin(before, Date.now(), keep));
    try {
      const request = await prepare(control.signal);
      if (control.signal.aborted) {
        return;
      }
      if (request === null) {
        this._set(before);
        return;
      }
      for await (const event of this._client.attempt(request, control.signal)) {
        if (control.signal.aborted) {
          return;
        }
        this._set(reduce(this._state, event, Date.now()));
      }
      if (!control.signal.aborted && this.isRunning) {
        this._fail(CUT_OFF);
      }
    } catch (error) {
      if (!control.signal.aborted) {
        this._fail(toProblem(error));
      }
    }
  }

  /** End the request, and with it the model's and every trial; what arrived stays. */
  stop(): void {
    if (this.isRunning) {
      this._control?.abort();
      this._set(stopped(this._state, Date.now()));
    }
  }

  /** Judge all trials again under another policy, without running anything. */
  async judge(expectation: AttemptRequest['expectation']): Promise<void> {
    const judged = this._state.candidates.flatMap(item =>
      item.trial ? [{ index: item.index, trial: item.trial }] : []
    );
    for (const { index, trial } of judged) {
      const { verdict } = await this._client.judge({ trial, expectation });
      this._set(rejudged(this._state, index, verdict));
    }
  }

  dispose(): void {
    this.stop();
    Signal.clearData(this);
  }

  private _fail(problem: ReturnType<typeof toProblem>): void {
    this._set(failed(this._state, problem, Date.now()));
  }

  private _set(state: IAttemptState): void {
    this._state = state;
    this._changed.emit();
  }

  private _state = IDLE;
  private _control: AbortController | null = null;
  private readonly _changed = new Signal<this, void>(this);
}

const CUT_OFF = localProblem(
  'ServerUnreachable',
  'The Jupyter server ended the attempt before it was done.',
  'Check that the server still runs, then try again.'
);
