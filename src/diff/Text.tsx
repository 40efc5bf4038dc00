import type { TranslationBundle } from '@jupyterlab/translation';
import type { Change } from 'diff';
import { diffLines } from 'diff';
import * as React from 'react';
import type { TextDifference } from '../api/generated';

/** Lines of a text that differ, in one column, blanks made visible where only they differ. */
export function Text(props: {
  trans: TranslationBundle;
  difference: TextDifference;
}): React.ReactElement {
  const { trans, difference } = props;
  const caption = captionOf(difference.only, trans);
  const blanks = difference.only.includes('whitespace');
  const lines = linesOf(diffLines(difference.expected, difference.actual));
  return (
    <div className="jp-Exeds-diff" role="group" aria-label={caption}>
      <p className="jp-Exeds-diffCaption">
        {caption}{' '}
        <span className="jp-Exeds-legend">
          {trans.__('− expected, + actual')}
        </span>
      </p>
      <pre className="jp-Exeds-lines" tabIndex={0}>
        {lines.map((line, place) => (
          <span key={place} className={`jp-Exeds-line jp-mod-${line.tone}`}>
            <span className="jp-Exeds-sign">{SIGNS[line.tone]}</span>
            {blanks ? visible(line.text) : line.text}
            {'\n'}
          </span>
        ))}
      </pre>
    </div>
  );
}

type Tone = 'minus' | 'plus' | 'same';

const SIGNS: Record<Tone, string> = { minus: '−', plus: '+', same: ' ' };

interface ILine {
  tone: Tone;
  text: string;
}

/** The parts of a diff as single lines. */
export function linesOf(changes: Change[]): ILine[] {
  return changes.flatMap(change => {
    const tone: Tone = change.removed
      ? 'minus'
      : change.added
        ? 'plus'
        : 'same';
    return change.value
      .replace(/\n$/, '')
      .split('\n')
      .map(text => ({ tone, text }));
  });
}

/** Blanks and tabs as signs. */
export function visible(text: string): string {
  return text.replace(/ /g, '·').replace(/\t/g, '→');
}

function captionOf(
  only: TextDifference['only'],
  trans: TranslationBundle
): string {
  switch (only) {
    case 'case':
      return trans.__('Only upper and lower case differ');
    case 'whitespace':
      return trans.__('Only blanks differ');
    case 'case and whitespace':
      return trans.__('Only case and blanks differ');
    case 'words':
      return trans.__('Another text');
  }
}
