import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { Problem } from '../api/generated';
import { count, seconds } from '../format';
import { Block } from './Block';
import type { ICandidateDetailProps } from './CandidateDetail';
import { CandidateDetail } from './CandidateDetail';
import type { ICandidateItem } from './CandidateList';
import { CandidateList } from './CandidateList';
import { ProblemNotice } from './ProblemNotice';

export type PhaseView =
  'idle' | 'prompting' | 'streaming' | 'finished' | 'stopped' | 'failed';

export interface IResultProps extends Omit<ICandidateDetailProps, 'item'> {
  phase: PhaseView;
  items: ICandidateItem[];
  selected: ICandidateItem | null;
  /** Seconds of the last attempt; null while it runs. */
  duration: number | null;
  problem: Problem | null;
  onSelect(index: number): void;
  onRetry(): void;
}

/** What came: the candidates, and the chosen one in detail. */
export function Result(props: IResultProps): React.ReactElement | null {
  const { trans, items, selected } = props;
  if (props.phase === 'idle') {
    return null;
  }
  return (
    <Block title={trans.__('Result')} summary={summary(props)}>
      {props.problem && (
        <ProblemNotice
          trans={trans}
          problem={props.problem}
          onRetry={props.onRetry}
        />
      )}
      {items.length > 0 ? (
        <CandidateList
          trans={trans}
          items={items}
          selected={selected?.index ?? null}
          isRunning={props.isRunning}
          onSelect={props.onSelect}
        />
      ) : (
        <p className="jp-Exeds-hint">{waiting(props.phase, trans)}</p>
      )}
      {selected && (
        <CandidateDetail key={selected.index} {...props} item={selected} />
      )}
    </Block>
  );
}

function summary(props: IResultProps): string {
  const { trans } = props;
  const tokens = props.items.reduce(
    (sum, item) => sum + (item.candidate?.usage?.completion_tokens ?? 0),
    0
  );
  return [
    props.phase === 'stopped' ? trans.__('stopped') : '',
    props.duration === null ? '' : seconds(props.duration),
    tokens === 0 ? '' : trans.__('%1 tokens', count(tokens))
  ]
    .filter(part => part !== '')
    .join(' · ');
}

function waiting(phase: PhaseView, trans: TranslationBundle): string {
  switch (phase) {
    case 'idle':
    case 'prompting':
    case 'streaming':
      return trans.__('Waiting for the first candidate.');
    case 'stopped':
      return trans.__('Stopped before a candidate came.');
    case 'finished':
    case 'failed':
      return trans.__('No candidate came.');
  }
}
