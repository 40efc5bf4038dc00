import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { METADATA_KEY } from '../model/provenance';

/**
 * Open the panel beside a notebook that asks for it in its metadata (`exeds_lab.open_panel`), as
 * the bundled demonstration does.
 */
export function openOnRequest(
  tracker: INotebookTracker,
  open: () => void
): void {
  tracker.widgetAdded.connect((_: unknown, panel: NotebookPanel) => {
    void panel.context.ready.then(() => {
      if (asks(panel.content.model?.getMetadata(METADATA_KEY))) {
        open();
      }
    });
  });
}

function asks(metadata: unknown): boolean {
  return (
    typeof metadata === 'object' &&
    metadata !== null &&
    (metadata as { open_panel?: unknown }).open_panel === true
  );
}
