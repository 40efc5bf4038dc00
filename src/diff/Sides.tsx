import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

export interface ISidesProps {
  trans: TranslationBundle;
  /** What the two sides show, in a few words. */
  caption: string;
  expected: React.ReactNode;
  actual: React.ReactNode;
}

/** Expected beside actual; one above the other where the panel is narrow. */
export function Sides(props: ISidesProps): React.ReactElement {
  const { trans } = props;
  return (
    <div className="jp-Exeds-diff" role="group" aria-label={props.caption}>
      <p className="jp-Exeds-diffCaption">{props.caption}</p>
      <div className="jp-Exeds-sides">
        <div className="jp-Exeds-side">
          <p className="jp-Exeds-sideTitle">{trans.__('Expected')}</p>
          {props.expected}
        </div>
        <div className="jp-Exeds-side">
          <p className="jp-Exeds-sideTitle">{trans.__('Actual')}</p>
          {props.actual}
        </div>
      </div>
    </div>
  );
}

export interface IMarkProps {
  /** `expected`: is missing; `actual`: is there instead. */
  side: 'expected' | 'actual';
  children: React.ReactNode;
}

/** Something that differs: a sign and a colour, never colour alone. */
export function Mark(props: IMarkProps): React.ReactElement {
  const expected = props.side === 'expected';
  return (
    <span className={expected ? 'jp-Exeds-mark jp-mod-minus' : 'jp-Exeds-mark'}>
      <span className="jp-Exeds-sign" aria-hidden="true">
        {expected ? '−' : '+'}
      </span>
      {props.children}
    </span>
  );
}

/** Text as it is: blanks kept, an empty text shown as such. */
export function Literal(props: {
  trans: TranslationBundle;
  text: string;
}): React.ReactElement {
  return props.text === '' ? (
    <em className="jp-Exeds-empty">{props.trans.__('empty')}</em>
  ) : (
    <code className="jp-Exeds-literal">{props.text}</code>
  );
}
