import * as React from 'react';

export interface IBlockProps {
  title: string;
  /** One line, also seen when the block is folded. */
  summary?: React.ReactNode;
  /** Controls in the heading's line. */
  actions?: React.ReactNode;
  children: React.ReactNode;
}

/** A part of the panel that folds. */
export function Block(props: IBlockProps): React.ReactElement {
  const [open, setOpen] = React.useState(true);
  const id = React.useId();
  return (
    <section className="jp-Exeds-block" aria-labelledby={`${id}-title`}>
      <header className="jp-Exeds-blockHeader">
        <h3 id={`${id}-title`} className="jp-Exeds-blockTitle">
          <button
            type="button"
            className="jp-Exeds-fold"
            aria-expanded={open}
            aria-controls={`${id}-body`}
            onClick={() => setOpen(!open)}
          >
            <span aria-hidden="true" className="jp-Exeds-caret">
              {open ? '▾' : '▸'}
            </span>
            {props.title}
          </button>
        </h3>
        <span className="jp-Exeds-summary">{props.summary}</span>
        {props.actions}
      </header>
      <div id={`${id}-body`} className="jp-Exeds-blockBody" hidden={!open}>
        {props.children}
      </div>
    </section>
  );
}
