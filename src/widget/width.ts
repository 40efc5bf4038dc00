import type { Widget } from '@lumino/widgets';
import { SplitPanel } from '@lumino/widgets';

/**
 * Give a widget at least so many pixels of the horizontal split in which it stands, at the cost of
 * the widest of the others. JupyterLab and Notebook 7 open their side areas narrower than a table
 * beside another one needs; whoever drags the split afterwards keeps what they dragged.
 *
 * @returns whether the widget has the width now.
 */
export function giveWidth(widget: Widget, pixels: number): boolean {
  const found = splitOf(widget);
  if (!found || !widget.isVisible) {
    return false;
  }
  const { split, place } = found;
  const total = split.node.clientWidth;
  const sizes = split.relativeSizes();
  const wanted = Math.min(pixels, total / 2) / total;
  const missing = wanted - sizes[place];
  if (missing > 0) {
    const widest = sizes.indexOf(Math.max(...sizes));
    sizes[widest] -= missing;
    sizes[place] += missing;
    split.setRelativeSizes(sizes);
  }
  return true;
}

/** The horizontal split around a widget, and the place in it of what holds the widget. */
function splitOf(widget: Widget): { split: SplitPanel; place: number } | null {
  let child = widget;
  for (let parent = widget.parent; parent; parent = parent.parent) {
    if (parent instanceof SplitPanel && parent.orientation === 'horizontal') {
      return { split: parent, place: parent.widgets.indexOf(child) };
    }
    child = parent;
  }
  return null;
}
