import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { ICandidateItem } from './CandidateList';

/** What can be done with a candidate. */
export interface ICandidateChoices {
  trans: TranslationBundle;
  item: ICandidateItem;
  isRunning: boolean;
  /** Whether the code is being edited. */
  isEditing: boolean;
  onInsert(): void;
  /** The place of insertion is to be shown, or no longer. */
  onPlace(shown: boolean): void;
  onEdit(editing: boolean): void;
  onCheck(code: string): void;
}

export interface ICandidateActionsProps extends ICandidateChoices {
  code: string;
}

/** Insert, edit and check again; what did not pass needs a second, explicit choice. */
export function CandidateActions(
  props: ICandidateActionsProps
): React.ReactElement {
  return props.isEditing ? <Editor {...props} /> : <Buttons {...props} />;
}

function Buttons(props: ICandidateActionsProps): React.ReactElement {
  const { trans, item, isRunning } = props;
  const passed = item.trial?.verdict.status === 'passed';
  return (
    <div className="jp-Exeds-actions">
      {item.trial && (passed ? <Insert {...props} /> : <Anyway {...props} />)}
      <button
        type="button"
        className="jp-Exeds-button"
        disabled={isRunning}
        onClick={() => props.onEdit(true)}
      >
        {trans.__('Edit & re-check')}
      </button>
    </div>
  );
}

function Insert(props: ICandidateActionsProps): React.ReactElement {
  return (
    <button
      type="button"
      className="jp-Exeds-button jp-mod-strong"
      {...placeHandlers(props)}
      onClick={props.onInsert}
    >
      {props.trans.__('Insert below')}
    </button>
  );
}

/** Code that did not pass: the choice is asked for, and named. */
function Anyway(props: ICandidateActionsProps): React.ReactElement {
  const { trans, item } = props;
  const [asked, setAsked] = React.useState(false);
  React.useEffect(() => setAsked(false), [item.index]);
  if (!asked) {
    return (
      <button
        type="button"
        className="jp-Exeds-button"
        onClick={() => setAsked(true)}
      >
        {trans.__('Insert anyway…')}
      </button>
    );
  }
  return (
    <>
      <span className="jp-Exeds-warning">
        {item.trial?.verdict.status === 'unchecked'
          ? trans.__('Nothing was declared to check this code against.')
          : trans.__('This code did not pass.')}
      </span>
      <button
        type="button"
        className="jp-Exeds-button"
        {...placeHandlers(props)}
        onClick={() => {
          setAsked(false);
          props.onInsert();
        }}
      >
        {trans.__('Insert anyway, marked unverified')}
      </button>
      <button
        type="button"
        className="jp-Exeds-link"
        onClick={() => setAsked(false)}
      >
        {trans.__('Cancel')}
      </button>
    </>
  );
}

/** The place of insertion shows while the button has focus or the pointer. */
function placeHandlers(
  props: ICandidateActionsProps
): React.ButtonHTMLAttributes<HTMLButtonElement> {
  return {
    onMouseEnter: () => props.onPlace(true),
    onMouseLeave: () => props.onPlace(false),
    onFocus: () => props.onPlace(true),
    onBlur: () => props.onPlace(false)
  };
}

function Editor(props: ICandidateActionsProps): React.ReactElement {
  const { trans } = props;
  const [code, setCode] = React.useState(props.code);
  return (
    <div className="jp-Exeds-edit">
      <textarea
        className="jp-Exeds-input jp-Exeds-code"
        aria-label={trans.__('Code to check')}
        rows={Math.min(20, code.split('\n').length + 1)}
        spellCheck={false}
        autoFocus
        value={code}
        onChange={event => setCode(event.target.value)}
      />
      <div className="jp-Exeds-actions">
        <button
          type="button"
          className="jp-Exeds-button jp-mod-strong"
          disabled={code.trim() === ''}
          onClick={() => props.onCheck(code)}
        >
          {trans.__('Check this code')}
        </button>
        <button
          type="button"
          className="jp-Exeds-link"
          onClick={() => props.onEdit(false)}
        >
          {trans.__('Cancel')}
        </button>
      </div>
    </div>
  );
}
