import type { Notebook } from '@jupyterlab/notebook';

const PLACE_CLASS = 'jp-Exeds-place';

/**
 * Show in the notebook where a cell would go.
 *
 * @param index - Place of the new cell; null takes the line away.
 */
export function showPlace(notebook: Notebook, index: number | null): void {
  notebook.widgets.forEach((cell, place) => {
    cell.toggleClass(PLACE_CLASS, index !== null && place === index - 1);
  });
}
