import type { IRenderMime, IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { MimeModel } from '@jupyterlab/rendermime';
import type { PartialJSONObject } from '@lumino/coreutils';
import { Widget } from '@lumino/widgets';
import type { RenderBundle } from '../view/Rendered';

/**
 * JupyterLab's own renderers, never trusting what they render: the code that made it was written
 * by a model, from data that may be hostile. Scripts do not run, and nothing is loaded from
 * another machine.
 */
export function untrustedRenderer(registry: IRenderMimeRegistry): RenderBundle {
  const local = registry.clone({
    sanitizer: new LocalSanitizer(registry.sanitizer)
  });
  return (bundle, host) => {
    const data = bundle as PartialJSONObject;
    const type = local.preferredMimeType(data, 'ensure');
    if (type === undefined || !host.isConnected) {
      return () => undefined;
    }
    const widget = local.createRenderer(type);
    Widget.attach(widget, host);
    widget
      .renderModel(new MimeModel({ data, trusted: false }))
      .catch(reason => {
        console.error('exeds-lab: an output cannot be rendered', reason);
      });
    return () => {
      if (widget.node.isConnected) {
        widget.dispose();
      }
    };
  };
}

/** Attributes that make a browser load something by itself. */
const LOADING = ['src', 'srcset', 'poster', 'background', 'data'];

/**
 * The application's sanitizer, behind one that removes what would be loaded from elsewhere: the
 * address of an image can carry data away.
 */
export class LocalSanitizer implements IRenderMime.ISanitizer {
  constructor(private readonly _base: IRenderMime.ISanitizer) {}

  readonly allowNamedProperties = false;
  readonly allowCommandLinker = false;

  getAutolink(): boolean {
    return false;
  }

  sanitize(dirty: string, options?: IRenderMime.ISanitizerOptions): string {
    // A document made by the parser loads nothing and runs nothing.
    const page = new DOMParser().parseFromString(dirty, 'text/html');
    page.querySelectorAll('*').forEach(makeLocal);
    return this._base.sanitize(page.body.innerHTML, options);
  }
}

function makeLocal(element: Element): void {
  for (const name of LOADING) {
    const value = element.getAttribute(name);
    if (value !== null && !/^\s*data:image\//i.test(value)) {
      element.removeAttribute(name);
    }
  }
  if (/url\s*\(|image-set|\\/i.test(element.getAttribute('style') ?? '')) {
    element.removeAttribute('style');
  }
}
