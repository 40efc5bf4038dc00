import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { badge } from '../format';
import type { ICandidateItem } from './CandidateList';
import type { PhaseView } from './Result';

export interface IAnnouncerProps {
  trans: TranslationBundle;
  phase: PhaseView;
  items: ICandidateItem[];
}

/** Tells a screen reader what happened, politely; nobody sees it. */
export function Announcer(props: IAnnouncerProps): React.ReactElement {
  const before = React.useRef<IAnnouncerProps>(props);
  const [text, setText] = React.useState('');
  React.useEffect(() => {
    const news = newsOf(before.current, props);
    before.current = props;
    if (news !== '') {
      setText(news);
    }
  }, [props.phase, props.items]);
  return (
    <div className="jp-Exeds-announcer" aria-live="polite" role="log">
      {text}
    </div>
  );
}

/** What is new between two states, in words; empty when nothing is. */
export function newsOf(
  before: Pick<IAnnouncerProps, 'phase' | 'items'>,
  now: IAnnouncerProps
): string {
  const { trans } = now;
  const lines = now.items.flatMap(item => itemNews(before.items, item, trans));
  if (before.phase !== now.phase) {
    lines.push(phaseNews(now));
  }
  return lines.filter(line => line !== '').join(' ');
}

function itemNews(
  before: ICandidateItem[],
  item: ICandidateItem,
  trans: TranslationBundle
): string[] {
  const old = before.find(other => other.index === item.index);
  const number = item.index + 1;
  if (item.trial && item.trial.verdict !== old?.trial?.verdict) {
    const label = badge(item.trial.verdict, trans).label;
    return [trans.__('Candidate %1: %2.', number, label)];
  }
  return item.candidate && !old?.candidate
    ? [trans.__('Candidate %1 arrived.', number)]
    : [];
}

function phaseNews(now: IAnnouncerProps): string {
  const { trans } = now;
  switch (now.phase) {
    case 'finished':
      return trans.__('Done.');
    case 'stopped':
      return trans.__('Stopped.');
    case 'failed':
      return trans.__('Failed.');
    case 'prompting':
      return trans.__('Started.');
    case 'idle':
    case 'streaming':
      return '';
  }
}
