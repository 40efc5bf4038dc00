import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel } from '@jupyterlab/services';
import type { ISignal } from '@lumino/signaling';
import { Signal } from '@lumino/signaling';

/** What the kernel of a notebook can do for us. */
export type KernelState =
  | { kind: 'none' }
  | { kind: 'starting' }
  | { kind: 'dead' }
  | { kind: 'restarted' }
  | { kind: 'foreign'; language: string }
  | { kind: 'ready' };

/**
 * Follows the kernel of one notebook.
 *
 * Whether a cell runs is not read from `kernel.status`: any request's idle message sets that, also
 * one of our own (jupyterlab issue 10701). The notebook's cells say it.
 */
export class KernelWatch {
  constructor(private readonly _context: ISessionContext) {
    _context.statusChanged.connect(this._onStatus, this);
    _context.kernelChanged.connect(this._onKernel, this);
    void this._readLanguage(_context.session?.kernel ?? null);
  }

  /** Emitted when `state` or `id` may have changed. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Id of the kernel that can check code; null when there is none. */
  get id(): string | null {
    const kind = this.state.kind;
    return kind === 'ready' || kind === 'restarted'
      ? (this._context.session?.kernel?.id ?? null)
      : null;
  }

  /** Name for people, e.g. `Python 3 (ipykernel)`. */
  get label(): string {
    return this._context.session?.kernel ? this._context.kernelDisplayName : '';
  }

  get state(): KernelState {
    const kernel = this._context.session?.kernel;
    if (!kernel) {
      return { kind: 'none' };
    }
    if (kernel.status === 'dead' || kernel.status === 'terminating') {
      return { kind: 'dead' };
    }
    if (isStarting(kernel.status)) {
      return { kind: 'starting' };
    }
    if (this._language !== 'python' && this._language !== '') {
      return { kind: 'foreign', language: this._language };
    }
    return { kind: this._restarted ? 'restarted' : 'ready' };
  }

  /** A cell ran: the variables are (again) those of the notebook. */
  cellRan(): void {
    if (this._restarted) {
      this._restarted = false;
      this._changed.emit();
    }
  }

  dispose(): void {
    Signal.clearData(this);
  }

  private _onStatus(_: ISessionContext, status: Kernel.Status): void {
    if (status === 'restarting' || status === 'autorestarting') {
      this._restarted = true;
    }
    this._changed.emit();
  }

  private _onKernel(
    _: ISessionContext,
    change: { newValue: Kernel.IKernelConnection | null }
  ): void {
    this._restarted = false;
    this._changed.emit();
    void this._readLanguage(change.newValue);
  }

  private async _readLanguage(
    kernel: Kernel.IKernelConnection | null
  ): Promise<void> {
    this._language = '';
    const spec = await kernel?.spec;
    if (kernel === (this._context.session?.kernel ?? null)) {
      this._language = spec?.language.toLowerCase() ?? '';
      this._changed.emit();
    }
  }

  private _language = '';
  private _restarted = false;
  private readonly _changed = new Signal<this, void>(this);
}

function isStarting(status: Kernel.Status): boolean {
  return (
    status === 'starting' ||
    status === 'restarting' ||
    status === 'autorestarting'
  );
}
