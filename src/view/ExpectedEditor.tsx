import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { cellNumber, firstLine } from '../format';
import type { IExpectedProps, Kind } from './expectation';

/** The fields of the chosen kind of expectation. */
export function ExpectedEditor(props: IExpectedProps): React.ReactElement {
  const { kind } = props.draft;
  return (
    <div className="jp-Exeds-editor">
      {kind === 'variable' && <VariablePicker {...props} />}
      {kind === 'output' && <OutputPicker {...props} />}
      {kind !== 'variable' && kind !== 'output' && <TextField {...props} />}
      <div className="jp-Exeds-row">
        {hasTarget(kind) && <TargetPicker {...props} />}
        {kind === 'table' && <TableSwitches {...props} />}
      </div>
    </div>
  );
}

/** Checks say themselves what they look at; an exception has no target. */
function hasTarget(kind: Kind): boolean {
  return kind !== 'checks' && kind !== 'exception' && kind !== 'none';
}

function TextField(props: IExpectedProps): React.ReactElement {
  const { trans, draft, problem } = props;
  const rows = draft.kind === 'value' || draft.kind === 'exception' ? 2 : 5;
  return (
    <textarea
      className="jp-Exeds-input jp-Exeds-code"
      aria-label={trans.__('Expected result')}
      aria-invalid={problem !== null}
      placeholder={placeholder(draft.kind, trans)}
      rows={rows}
      spellCheck={false}
      value={draft.text}
      onChange={event => props.onDraft({ text: event.target.value })}
    />
  );
}

function placeholder(kind: Kind, trans: TranslationBundle): string {
  switch (kind) {
    case 'value':
      return "0.84\n[1, 2, 3] {'a': 1}";
    case 'table':
      return trans.__(
        'Paste a table: from a spreadsheet, CSV, markdown, or a printed frame.'
      );
    case 'schema':
      return 'DataFrame[city: str, total: float64] x 12 rows';
    case 'checks':
      return trans.__(
        'One expression a line, e.g.\nlen(result) == df.city.nunique()'
      );
    case 'text':
      return trans.__('The text that should be printed.');
    case 'exception':
      return 'ValueError: pattern';
    case 'none':
    case 'variable':
    case 'output':
      return '';
  }
}

function VariablePicker(props: IExpectedProps): React.ReactElement {
  const { trans, draft, variables } = props;
  return (
    <label className="jp-Exeds-field">
      {trans.__('Variable')}
      <select
        className="jp-Exeds-select"
        value={draft.text}
        onChange={event => props.onDraft({ text: event.target.value })}
      >
        <option value="">{trans.__('choose…')}</option>
        {variables.map(name => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function OutputPicker(props: IExpectedProps): React.ReactElement {
  const { trans, draft, outputs } = props;
  return (
    <label className="jp-Exeds-field">
      {trans.__('Cell')}
      <select
        className="jp-Exeds-select"
        value={draft.output?.cellId ?? ''}
        onChange={event => {
          const cell = outputs.find(item => item.id === event.target.value);
          if (cell) {
            props.onOutput(cell.id, cell.executionCount);
          }
        }}
      >
        <option value="">{trans.__('choose…')}</option>
        {outputs.map(item => (
          <option key={item.id} value={item.id}>
            {cellNumber(item.executionCount)} {firstLine(item.source, 40)}
          </option>
        ))}
      </select>
    </label>
  );
}

function TargetPicker(props: IExpectedProps): React.ReactElement {
  const { trans, draft } = props;
  const named = draft.target !== 'last' && draft.target !== 'stdout';
  return (
    <>
      <label className="jp-Exeds-field">
        {trans.__('Look at')}
        <select
          className="jp-Exeds-select"
          value={named ? 'name' : draft.target}
          onChange={event =>
            props.onDraft({
              target: event.target.value === 'name' ? '' : event.target.value
            })
          }
        >
          <option value="last">{trans.__('last value')}</option>
          <option value="stdout">{trans.__('printed text')}</option>
          <option value="name">{trans.__('a variable')}</option>
        </select>
      </label>
      {named && (
        <input
          className="jp-Exeds-input"
          aria-label={trans.__('Name of the variable looked at')}
          placeholder={trans.__('name')}
          value={draft.target}
          onChange={event => props.onDraft({ target: event.target.value })}
        />
      )}
    </>
  );
}

function TableSwitches(props: IExpectedProps): React.ReactElement {
  const { trans, draft } = props;
  return (
    <>
      <label className="jp-Exeds-tick">
        <input
          type="checkbox"
          checked={draft.onlyRows}
          onChange={event => props.onDraft({ onlyRows: event.target.checked })}
        />
        {trans.__('Other rows may be there too')}
      </label>
      <label className="jp-Exeds-tick">
        <input
          type="checkbox"
          checked={draft.onlyColumns}
          onChange={event =>
            props.onDraft({ onlyColumns: event.target.checked })
          }
        />
        {trans.__('Other columns may be there too')}
      </label>
    </>
  );
}
