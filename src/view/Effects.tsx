import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { Effects as EffectsRecord, Execution } from '../api/generated';
import { count } from '../format';

/** What the code would change in the kernel, which has none of it yet. */
export function Effects(props: {
  trans: TranslationBundle;
  execution: Execution;
}): React.ReactElement {
  const { trans, execution } = props;
  const { effects } = execution;
  return (
    <div className="jp-Exeds-effects">
      <p>
        {effects
          ? effectsLine(effects, trans)
          : trans.__(
              'It ended before its effects could be read; the live kernel has none of them.'
            )}
      </p>
      {effects && <Details trans={trans} effects={effects} />}
      <p className="jp-Exeds-hint">
        {execution.strategy === 'fork'
          ? trans.__(
              'Ran in a fork of the live kernel (%1): protects against mistakes, not against an attacker.',
              execution.protections.join(', ')
            )
          : execution.strategy_reason}
      </p>
    </div>
  );
}

/** One line: how many variables change, what is new, whether files were written. */
export function effectsLine(
  effects: EffectsRecord,
  trans: TranslationBundle
): string {
  const changed =
    effects.rebound.length + effects.deleted.length + effects.mutated.length;
  const files = effects.files.filter(file => file.action !== 'vetoed').length;
  return [
    trans.__(
      '%1 of %2 variables changed',
      count(changed),
      count(effects.variables)
    ),
    effects.created.length > 0
      ? trans.__('creates: %1', effects.created.join(', '))
      : '',
    files === 0
      ? trans.__('wrote no files')
      : trans._n('wrote %1 file', 'wrote %1 files', files)
  ]
    .filter(part => part !== '')
    .join(' · ');
}

function Details(props: {
  trans: TranslationBundle;
  effects: EffectsRecord;
}): React.ReactElement | null {
  const lines = detailLines(props.effects, props.trans);
  return lines.length === 0 ? null : (
    <ul className="jp-Exeds-effectList">
      {lines.map(line => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function detailLines(
  effects: EffectsRecord,
  trans: TranslationBundle
): string[] {
  return [
    ...effects.rebound.map(name => trans.__('would rebind %1', name)),
    ...effects.deleted.map(name => trans.__('would delete %1', name)),
    ...effects.mutated.map(item =>
      trans.__('would change %1: %2', item.name, item.how)
    ),
    ...effects.unproven.map(name =>
      trans.__('%1 could not be followed; nothing is claimed of it', name)
    ),
    ...effects.files.map(file => fileLine(file, trans))
  ];
}

function fileLine(
  file: EffectsRecord['files'][number],
  trans: TranslationBundle
): string {
  switch (file.action) {
    case 'written':
      return trans.__('wrote %1 (in the trial only)', file.what);
    case 'deleted':
      return trans.__('deleted %1 (in the trial only)', file.what);
    case 'vetoed':
      return trans.__('was not allowed: %1', file.what);
  }
}
