import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { firstLine } from '../format';
import { Block } from './Block';

export interface ITaskProps {
  trans: TranslationBundle;
  intent: string;
  /** Whether the task has a markdown cell of its own. */
  hasCell: boolean;
  /** Whether the wording here differs from the cell's. */
  isTyped: boolean;
  /** Whether the cursor stands at another task. */
  isElsewhere: boolean;
  onIntent(text: string | null): void;
  onFollow(): void;
}

/** What is wanted: the markdown cell before the cursor, or text typed here. */
export function Task(props: ITaskProps): React.ReactElement {
  const { trans } = props;
  const [editing, setEditing] = React.useState(false);
  const typing = editing || props.isTyped || !props.hasCell;
  return (
    <Block
      title={trans.__('Task')}
      summary={source(props)}
      actions={<Actions {...props} typing={typing} onEdit={setEditing} />}
    >
      {typing ? (
        <textarea
          className="jp-Exeds-input jp-Exeds-intent"
          aria-label={trans.__('Task')}
          placeholder={trans.__(
            'Say what the code should do, or write it in a markdown cell and put the cursor there.'
          )}
          rows={3}
          value={props.intent}
          onChange={event => props.onIntent(event.target.value)}
        />
      ) : (
        <p className="jp-Exeds-intentText">{props.intent}</p>
      )}
      {props.isElsewhere && (
        <p className="jp-Exeds-hint">
          {trans.__('The cursor is at another task.')}{' '}
          <button
            type="button"
            className="jp-Exeds-link"
            onClick={props.onFollow}
          >
            {trans.__('Use that one')}
          </button>
        </p>
      )}
    </Block>
  );
}

function source(props: ITaskProps): string {
  const { trans } = props;
  if (props.isTyped || !props.hasCell) {
    return props.intent.trim() === ''
      ? trans.__('nothing yet')
      : trans.__('typed here');
  }
  return trans.__('from the cell: %1', firstLine(props.intent, 40));
}

interface IActionsProps extends ITaskProps {
  typing: boolean;
  onEdit(editing: boolean): void;
}

function Actions(props: IActionsProps): React.ReactElement | null {
  const { trans } = props;
  if (!props.hasCell) {
    return null;
  }
  return props.typing ? (
    <button
      type="button"
      className="jp-Exeds-link"
      title={trans.__('Take the task from its markdown cell again')}
      onClick={() => {
        props.onEdit(false);
        props.onIntent(null);
      }}
    >
      {trans.__('From the cell')}
    </button>
  ) : (
    <button
      type="button"
      className="jp-Exeds-link"
      title={trans.__('Word the task here')}
      onClick={() => props.onEdit(true)}
    >
      {trans.__('Edit')}
    </button>
  );
}
