import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { Block } from './Block';
import { Declared } from './Declared';
import { ExpectedEditor } from './ExpectedEditor';
import { Policy } from './Policy';
import type { IExpectedProps, Kind } from './expectation';

/** What should come out, and how strictly it is compared. */
export function Expected(props: IExpectedProps): React.ReactElement {
  const { trans, draft } = props;
  return (
    <Block
      title={trans.__('Expected')}
      summary={<Summary {...props} />}
      actions={
        <select
          className="jp-Exeds-select"
          aria-label={trans.__('Kind of expected result')}
          value={draft.kind}
          onChange={event => choose(props, event.target.value as Kind)}
        >
          {kinds(trans).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </select>
      }
    >
      {draft.kind === 'none' ? (
        <p className="jp-Exeds-hint">
          {trans.__(
            'Say what should come out and the code is checked against it: of 56 answers that matched a declared result, 54 were right; unchecked answers of the same small models were wrong a quarter to more than half of the time.'
          )}
        </p>
      ) : (
        <>
          <ExpectedEditor {...props} />
          <Declared
            trans={trans}
            expectation={props.expectation}
            problem={props.problem}
            pending={props.pending}
            render={props.render}
          />
        </>
      )}
      {draft.kind === 'none' && props.problem && (
        <Declared
          trans={trans}
          expectation={null}
          problem={props.problem}
          pending={false}
          render={props.render}
        />
      )}
      <Guarded {...props} />
      {draft.kind !== 'none' && props.policy && (
        <Policy
          trans={trans}
          policy={props.policy}
          presets={props.presets}
          onPolicy={props.onPolicy}
        />
      )}
    </Block>
  );
}

/** A kind is chosen: text is kept where it may still serve. */
function choose(props: IExpectedProps, kind: Kind): void {
  const picks = (value: Kind) => value === 'variable' || value === 'output';
  const printed = props.draft.target === 'stdout';
  const target = kind === 'text' ? 'stdout' : printed ? 'last' : null;
  props.onDraft({
    kind,
    output: null,
    ...(target ? { target } : {}),
    ...(picks(kind) || picks(props.draft.kind) ? { text: '' } : {})
  });
}

function kinds(trans: TranslationBundle): [Kind, string][] {
  return [
    ['none', trans.__('Not declared')],
    ['value', trans.__('Value')],
    ['table', trans.__('Table')],
    ['schema', trans.__('Schema')],
    ['checks', trans.__('Checks')],
    ['text', trans.__('Text')],
    ['exception', trans.__('Exception')],
    ['variable', trans.__('Use variable')],
    ['output', trans.__('Use output of cell')]
  ];
}

function Summary(props: IExpectedProps): React.ReactElement {
  const { trans, draft } = props;
  if (draft.kind === 'none') {
    return <>{trans.__('not declared')}</>;
  }
  if (props.problem) {
    return <>{trans.__('cannot be read')}</>;
  }
  return <>{props.pending ? trans.__('reading…') : ''}</>;
}

function Guarded(props: IExpectedProps): React.ReactElement | null {
  const { trans, guarded } = props;
  if (guarded.length === 0) {
    return null;
  }
  return (
    <ul className="jp-Exeds-guards" aria-label={trans.__('Must not change')}>
      {guarded.map(({ name, on }) => (
        <li key={name}>
          <label className="jp-Exeds-tick">
            <input
              type="checkbox"
              checked={on}
              onChange={event => props.onGuard(name, event.target.checked)}
            />
            {trans.__('%1 must not change', name)}
          </label>
        </li>
      ))}
    </ul>
  );
}
