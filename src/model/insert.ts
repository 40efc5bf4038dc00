import type { ISharedNotebook } from '@jupyter/ydoc';
import type { PartialJSONObject } from '@lumino/coreutils';
import type { Provenance } from '../api/generated';
import { METADATA_KEY } from './provenance';

/** Index of the cell with this id; -1 when it is gone. */
export function indexOf(shared: ISharedNotebook, cellId: string): number {
  return shared.cells.findIndex(cell => cell.getId() === cellId);
}

/**
 * Insert a code cell with its provenance, as one undo step of its own.
 *
 * Steps closer than 500 ms would merge into one, also with the user's own typing: capturing is
 * stopped before and after.
 *
 * @param index - Place of the new cell.
 * @returns the id of the new cell.
 */
export function insertCode(
  shared: ISharedNotebook,
  index: number,
  code: string,
  provenance: Provenance
): string {
  stopCapturing(shared);
  shared.transact(() => {
    shared.insertCell(index, {
      cell_type: 'code',
      source: code,
      metadata: {
        [METADATA_KEY]: provenance as unknown as PartialJSONObject
      },
      outputs: []
    });
  });
  stopCapturing(shared);
  return shared.getCell(index).getId();
}

/** End the step that is being captured; the interface of a shared notebook does not show it. */
function stopCapturing(shared: ISharedNotebook): void {
  const { undoManager } = shared as {
    undoManager?: { stopCapturing(): void };
  };
  undoManager?.stopCapturing();
}
