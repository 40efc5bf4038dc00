import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { Candidate, Trial } from '../api/generated';
import type { IBadge } from '../format';
import { badge, lastCall, seconds } from '../format';

/** One candidate as far as it is known. */
export interface ICandidateItem {
  index: number;
  text: string;
  candidate: Candidate | null;
  running: boolean;
  waiting: string | null;
  outputs: Record<string, unknown>[];
  trial: Trial | null;
  typed: boolean;
}

export interface ICandidateListProps {
  trans: TranslationBundle;
  items: ICandidateItem[];
  /** Index of the one shown; null when there is none. */
  selected: number | null;
  /** Whether the attempt goes on. */
  isRunning: boolean;
  onSelect(index: number): void;
}

/** The candidates with their verdicts; arrow keys move in it through commands. */
export function CandidateList(props: ICandidateListProps): React.ReactElement {
  const { trans, items, selected } = props;
  const id = React.useId();
  return (
    <ul
      className="jp-Exeds-candidates"
      role="listbox"
      tabIndex={0}
      aria-label={trans.__('Candidates')}
      aria-activedescendant={
        selected === null ? undefined : `${id}-${selected}`
      }
    >
      {items.map(item => (
        <Row
          key={item.index}
          {...props}
          id={`${id}-${item.index}`}
          item={item}
        />
      ))}
    </ul>
  );
}

interface IRowProps extends ICandidateListProps {
  id: string;
  item: ICandidateItem;
}

function Row(props: IRowProps): React.ReactElement {
  const { trans, item } = props;
  const look = stateOf(item, props.isRunning, trans);
  const chosen = item.index === props.selected;
  return (
    <li
      id={props.id}
      role="option"
      aria-selected={chosen}
      className="jp-Exeds-candidate"
      onClick={() => props.onSelect(item.index)}
    >
      <span className={`jp-Exeds-badge jp-mod-${look.tone}`} aria-hidden="true">
        {look.sign}
      </span>
      <span className="jp-Exeds-candidateNumber">{item.index + 1}</span>
      <span className="jp-Exeds-candidateLabel">{look.label}</span>
      <span className="jp-Exeds-candidateNote">
        {noteOf(item, look, trans)}
      </span>
      <span className="jp-Exeds-candidateTime">
        {item.trial ? seconds(item.trial.execution.total_s) : ''}
      </span>
    </li>
  );
}

/** The badge of a verdict, or what the candidate waits for. */
function stateOf(
  item: ICandidateItem,
  isRunning: boolean,
  trans: TranslationBundle
): IBadge {
  if (item.trial) {
    return badge(item.trial.verdict, trans);
  }
  const plain = (sign: string, label: string): IBadge => ({
    sign,
    label,
    tone: 'plain'
  });
  if (!isRunning) {
    return plain('–', trans.__('Not finished'));
  }
  if (item.waiting !== null) {
    return plain('⏸', trans.__('Waiting'));
  }
  if (item.running) {
    return plain('▶', trans.__('Running'));
  }
  return item.candidate
    ? plain('…', trans.__('Ready'))
    : plain('…', trans.__('Writing'));
}

function noteOf(
  item: ICandidateItem,
  look: IBadge,
  trans: TranslationBundle
): string {
  if (item.waiting !== null) {
    return item.waiting;
  }
  if (item.trial && item.trial.verdict.status !== 'passed') {
    return withoutLabel(item.trial.verdict.headline, look.label);
  }
  const code = item.candidate?.code ?? item.text;
  const line = lastCall(code);
  return item.typed ? trans.__('yours: %1', line) : line;
}

/** A headline behind its own label says the rest only. */
export function withoutLabel(headline: string, label: string): string {
  if (!headline.toLowerCase().startsWith(label.toLowerCase())) {
    return headline;
  }
  return headline.slice(label.length).replace(/^[:,;.\s–-]+/, '');
}
