import * as React from 'react';

/** A MIME bundle; everything in it is untrusted. */
export type Bundle = Record<string, unknown>;

/**
 * Renders a bundle into a host, sanitised, and returns what takes it away again. The shell gives
 * it, since rendering is JupyterLab's.
 */
export type RenderBundle = (bundle: Bundle, host: HTMLElement) => () => void;

export interface IRenderedProps {
  bundle: Bundle;
  render: RenderBundle;
  label: string;
}

/** Output as the notebook would show it, never trusted. */
export function Rendered(props: IRenderedProps): React.ReactElement {
  const host = React.useRef<HTMLDivElement>(null);
  const { bundle, render } = props;
  const key = JSON.stringify(bundle);
  // A layout effect is undone while its host still stands in the page: a widget of JupyterLab's
  // cannot be disposed later.
  React.useLayoutEffect(
    () => (host.current ? render(bundle, host.current) : undefined),
    [key, render]
  );
  return (
    <div
      ref={host}
      className="jp-Exeds-rendered"
      role="group"
      aria-label={props.label}
      tabIndex={0}
    />
  );
}
