import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { ISignal } from '@lumino/signaling';
import { Signal } from '@lumino/signaling';
import type { IClient } from '../api/client';
import type { Problem, StatusReply } from '../api/generated';
import { toProblem } from '../api/problem';
import { Session } from './session';

/** The panel's state: the server, and a session for each open notebook. */
export class PanelModel {
  constructor(
    tracker: INotebookTracker,
    private readonly _client: IClient
  ) {
    tracker.currentChanged.connect(this._onCurrent, this);
    this._onCurrent(tracker, tracker.currentWidget);
  }

  /** Emitted when anything that the panel shows changed. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** The session of the current notebook; null when no notebook is open. */
  get session(): Session | null {
    return this._session;
  }

  /** What the server can do; null until it has answered. */
  get status(): StatusReply | null {
    return this._status;
  }

  /** Why the server does not answer; null when it does. */
  get problem(): Problem | null {
    return this._problem;
  }

  /** How many candidates are asked for. */
  get count(): number {
    return this._session?.work.count ?? this._status?.candidates ?? 3;
  }

  /** The panel was shown: ask for what it shows. */
  async shown(): Promise<void> {
    this._isShown = true;
    // The notebook is read at once: what the user does next belongs to the task at the cursor.
    await Promise.all([this._session?.shown(), this.refreshStatus()]);
  }

  /** Nobody looks any more; what runs goes on. */
  hidden(): void {
    this._isShown = false;
  }

  /** Ask the server what it can do. */
  async refreshStatus(): Promise<void> {
    try {
      this._status = await this._client.status();
      this._problem = null;
    } catch (error) {
      this._problem = toProblem(error);
    }
    this._emit();
  }

  /** Generate and check; without a key pressed by the user nothing ever runs. */
  async generate(): Promise<void> {
    await this._session?.work.generate(this.count, null);
  }

  /** Check code typed by the user. */
  async check(code: string): Promise<void> {
    await this._session?.work.generate(1, code);
  }

  stop(): void {
    this._session?.work.runner.stop();
  }

  dispose(): void {
    this._sessions.forEach(session => session.dispose());
    this._sessions.clear();
    Signal.clearData(this);
  }

  private _onCurrent(_: unknown, panel: NotebookPanel | null): void {
    this._session = panel && this.sessionOf(panel);
    void this._session?.shown();
    this._emit();
  }

  /** The session of a notebook, made when it is first asked for. */
  sessionOf(panel: NotebookPanel): Session {
    let session = this._sessions.get(panel);
    if (!session) {
      session = new Session(panel, this._client, () => ({
        policy: this._status?.policy ?? null,
        isShown: this._isShown
      }));
      session.changed.connect(this._onSession, this);
      panel.disposed.connect(this._onClosed, this);
      this._sessions.set(panel, session);
    }
    return session;
  }

  private _onClosed(panel: NotebookPanel): void {
    this._sessions.get(panel)?.dispose();
    this._sessions.delete(panel);
    if (this._session?.panel === panel) {
      this._session = null;
      this._emit();
    }
  }

  private _onSession(session: Session): void {
    if (session === this._session) {
      this._emit();
    }
  }

  private _emit(): void {
    this._changed.emit();
  }

  private _isShown = false;
  private _session: Session | null = null;
  private _status: StatusReply | null = null;
  private _problem: Problem | null = null;
  private readonly _sessions = new Map<NotebookPanel, Session>();
  private readonly _changed = new Signal<this, void>(this);
}
