import type { Cell } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { Provenance } from '../api/generated';
import { timeOfDay } from '../format';
import type { BadgeState } from '../model/provenance';
import { badgeState, METADATA_KEY, readProvenance } from '../model/provenance';

export interface IBadgesOptions {
  tracker: INotebookTracker;
  trans: TranslationBundle;
  /** A badge was clicked. */
  onOpen(panel: NotebookPanel, provenance: Provenance): void;
}

/** Keeps a badge on every cell that was inserted by the panel. */
export class Badges {
  constructor(private readonly _options: IBadgesOptions) {
    _options.tracker.widgetAdded.connect(this._onNotebook, this);
    _options.tracker.forEach(panel => this._onNotebook(null, panel));
  }

  private _onNotebook(_: unknown, panel: NotebookPanel): void {
    let isPlanned = false;
    // At the change of the model the notebook may not yet have made its widget for a new cell.
    const update = () => {
      if (!isPlanned) {
        isPlanned = true;
        requestAnimationFrame(() => {
          isPlanned = false;
          panel.content.widgets.forEach(cell => this._update(panel, cell));
        });
      }
    };
    panel.content.modelContentChanged.connect(update);
    void panel.revealed.then(update, () => undefined);
  }

  private _update(panel: NotebookPanel, cell: Cell): void {
    const provenance = readProvenance(cell.model.getMetadata(METADATA_KEY));
    if (!provenance) {
      badgeOf(cell)?.remove();
      return;
    }
    const state = badgeState(provenance, cell.model.sharedModel.getSource());
    const node = badgeOf(cell) ?? add(cell);
    const { text, title } = words(state, provenance, this._options.trans);
    if (node.textContent !== text) {
      node.textContent = text;
    }
    node.dataset.state = state;
    node.title = title;
    node.onclick = () => this._options.onOpen(panel, provenance);
  }
}

const BADGE_CLASS = 'jp-Exeds-cellBadge';

function badgeOf(cell: Cell): HTMLButtonElement | null {
  return cell.node.querySelector<HTMLButtonElement>(`:scope > .${BADGE_CLASS}`);
}

function add(cell: Cell): HTMLButtonElement {
  const node = document.createElement('button');
  node.type = 'button';
  node.className = BADGE_CLASS;
  cell.node.prepend(node);
  return node;
}

/** What a badge says, and what it says when asked. */
export function words(
  state: BadgeState,
  provenance: Provenance,
  trans: TranslationBundle
): { text: string; title: string } {
  const title = trans.__(
    '%1 · %2 · click to see what was expected',
    provenance.headline,
    provenance.generator.model
  );
  switch (state) {
    case 'verified':
      return {
        text: trans.__('✔ verified %1', timeOfDay(provenance.checked)),
        title
      };
    case 'edited':
      return { text: trans.__('✎ edited since'), title };
    case 'unverified':
      return { text: trans.__('○ unverified'), title };
  }
}
