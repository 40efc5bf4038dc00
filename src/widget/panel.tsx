import { Dialog, showDialog, showErrorMessage } from '@jupyterlab/apputils';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { TranslationBundle } from '@jupyterlab/translation';
import { ReactWidget } from '@jupyterlab/ui-components';
import type { Message } from '@lumino/messaging';
import * as React from 'react';
import type { PanelModel } from '../model/panel';
import type { Inserted } from '../model/session';
import { Panel } from '../view/Panel';
import type { RenderBundle } from '../view/Rendered';
import { showPlace } from './place';
import type { IShellActions } from './props';
import { notebookProps } from './props';
import { untrustedRenderer } from './render';
import { giveWidth } from './width';

export interface IPanelWidgetOptions {
  model: PanelModel;
  rendermime: IRenderMimeRegistry;
  trans: TranslationBundle;
  /** What JupyterLab's own commands do for the panel. */
  kernel: Pick<IShellActions, 'startKernel' | 'restartKernel' | 'runAbove'>;
}

export const PANEL_ID = 'exeds-lab-panel';

/** The panel in JupyterLab's shell: joins the model and the views. */
export class PanelWidget extends ReactWidget {
  constructor(private readonly _options: IPanelWidgetOptions) {
    super();
    this.id = PANEL_ID;
    this.addClass('jp-Exeds-panel');
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', _options.trans.__('Generate & Check'));
    this._render = untrustedRenderer(_options.rendermime);
    this._actions = {
      ..._options.kernel,
      insert: () => void this.insert(),
      place: shown => this._showPlace(shown),
      edit: editing => this.edit(editing)
    };
    _options.model.changed.connect(this._onModel, this);
  }

  /** Edit the code of the candidate shown, or stop editing. */
  edit(editing: boolean): void {
    this._isEditing = editing;
    this.update();
  }

  /** Insert the candidate shown; where its task is gone, ask for another place. */
  async insert(): Promise<void> {
    const { session } = this._options.model;
    if (!session) {
      return;
    }
    this._showPlace(false);
    const done = session.insert(false);
    if (done === 'gone' && (await this._askForPlace())) {
      await this._explain(session.insert(true));
    } else {
      await this._explain(done);
    }
  }

  protected override render(): React.ReactElement {
    const { model, trans } = this._options;
    const { session } = model;
    return (
      <Panel
        trans={trans}
        serverProblem={model.problem}
        onRetryServer={() => void model.shown()}
        notebook={
          session &&
          notebookProps({
            model,
            session,
            trans,
            render: this._render,
            actions: this._actions,
            isEditing: this._isEditing
          })
        }
      />
    );
  }

  protected override onAfterShow(msg: Message): void {
    super.onAfterShow(msg);
    // The split is laid out after this message.
    requestAnimationFrame(() => {
      this._isWide = this._isWide || giveWidth(this, WIDTH);
    });
    void this._options.model.shown();
  }

  protected override onAfterAttach(msg: Message): void {
    super.onAfterAttach(msg);
    if (this.isVisible) {
      void this._options.model.shown();
    }
  }

  protected override onAfterHide(msg: Message): void {
    super.onAfterHide(msg);
    this._showPlace(false);
    this._options.model.hidden();
  }

  protected override onResize(msg: Message): void {
    this.toggleClass('jp-mod-narrow', this.node.clientWidth < NARROW);
  }

  private _onModel(): void {
    this.update();
  }

  private _showPlace(shown: boolean): void {
    const { session } = this._options.model;
    if (session) {
      showPlace(session.panel.content, shown ? session.place(false) : null);
    }
  }

  private async _askForPlace(): Promise<boolean> {
    const { trans } = this._options;
    const { button } = await showDialog({
      title: trans.__('The cell of this task is gone'),
      body: trans.__('Insert the code below the active cell instead?'),
      buttons: [
        Dialog.cancelButton(),
        Dialog.okButton({ label: trans.__('Insert below the active cell') })
      ]
    });
    return button.accept;
  }

  private async _explain(done: Inserted): Promise<void> {
    const { trans } = this._options;
    switch (done) {
      case 'inserted':
      case 'gone':
        return;
      case 'read-only':
        return showErrorMessage(
          trans.__('Nothing was inserted'),
          trans.__('This notebook is read-only. Save a copy and insert there.')
        );
      case 'not-judged':
        return showErrorMessage(
          trans.__('Nothing was inserted'),
          trans.__('This candidate has no verdict yet. Wait for its trial.')
        );
    }
  }

  private _isEditing = false;
  /** Whether the panel was once given its width; later it has the user's. */
  private _isWide = false;
  private readonly _render: RenderBundle;
  private readonly _actions: IShellActions;
}

/** Pixels that the panel has when it is first shown. */
const WIDTH = 440;

/** Pixels below which expected and actual stand above each other. */
const NARROW = 480;
