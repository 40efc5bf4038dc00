import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { ComparePolicy } from '../api/generated';
import { policyLine } from '../format';

export interface IPolicyProps {
  trans: TranslationBundle;
  policy: ComparePolicy;
  presets: Record<string, ComparePolicy>;
  onPolicy(policy: ComparePolicy): void;
}

type Switch = {
  [K in keyof ComparePolicy]: ComparePolicy[K] extends boolean ? K : never;
}[keyof ComparePolicy];

/** How strictly values are compared: one line, and its switches. */
export function Policy(props: IPolicyProps): React.ReactElement {
  const { trans, policy } = props;
  const [open, setOpen] = React.useState(false);
  const id = React.useId();
  return (
    <div className="jp-Exeds-policy">
      <p className="jp-Exeds-policyLine">
        {policyLine(policy, trans)}{' '}
        <button
          type="button"
          className="jp-Exeds-link"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? trans.__('done') : trans.__('change…')}
        </button>
      </p>
      <div id={id} hidden={!open} className="jp-Exeds-switches">
        <Presets {...props} />
        {switches(trans).map(([name, label]) => (
          <label key={name} className="jp-Exeds-tick">
            <input
              type="checkbox"
              checked={policy[name]}
              onChange={event =>
                props.onPolicy({ ...policy, [name]: event.target.checked })
              }
            />
            {label}
          </label>
        ))}
        <Levels {...props} />
        <Tolerance {...props} name="rel_tol" label={trans.__('Relative ±')} />
        <Tolerance {...props} name="abs_tol" label={trans.__('Absolute ±')} />
      </div>
    </div>
  );
}

function Presets(props: IPolicyProps): React.ReactElement {
  return (
    <div className="jp-Exeds-row">
      {Object.entries(props.presets).map(([name, policy]) => (
        <button
          key={name}
          type="button"
          className="jp-Exeds-button"
          onClick={() => props.onPolicy(policy)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function switches(trans: TranslationBundle): [Switch, string][] {
  return [
    ['check_row_order', trans.__('Row order')],
    ['check_column_order', trans.__('Column order')],
    ['check_column_names', trans.__('Column names')],
    ['check_names', trans.__('Names of series and index')],
    ['check_container', trans.__('Form (list, array, series, table)')],
    ['check_missing_kind', trans.__('Kind of missing value')],
    ['check_case', trans.__('Upper and lower case of text')],
    ['check_whitespace', trans.__('Blanks at the ends of text')]
  ];
}

function Levels(props: IPolicyProps): React.ReactElement {
  const { trans, policy, onPolicy } = props;
  return (
    <>
      <label className="jp-Exeds-field">
        {trans.__('Data types')}
        <select
          className="jp-Exeds-select"
          value={policy.check_dtypes}
          onChange={event =>
            onPolicy({
              ...policy,
              check_dtypes: event.target.value as ComparePolicy['check_dtypes']
            })
          }
        >
          <option value="exact">{trans.__('exactly')}</option>
          <option value="kind">{trans.__('the same kind')}</option>
          <option value="ignored">{trans.__('ignored')}</option>
        </select>
      </label>
      <label className="jp-Exeds-field">
        {trans.__('Index')}
        <select
          className="jp-Exeds-select"
          value={policy.check_index}
          onChange={event =>
            onPolicy({
              ...policy,
              check_index: event.target.value as ComparePolicy['check_index']
            })
          }
        >
          <option value="exact">{trans.__('exactly')}</option>
          <option value="declared">{trans.__('where declared')}</option>
          <option value="ignored">{trans.__('ignored')}</option>
        </select>
      </label>
    </>
  );
}

interface IToleranceProps extends IPolicyProps {
  name: 'rel_tol' | 'abs_tol';
  label: string;
}

function Tolerance(props: IToleranceProps): React.ReactElement {
  const { policy, name, label, onPolicy } = props;
  const [text, setText] = React.useState(String(policy[name]));
  React.useEffect(() => setText(String(policy[name])), [policy[name]]);
  const value = Number(text);
  const valid = text.trim() !== '' && Number.isFinite(value) && value >= 0;
  return (
    <label className="jp-Exeds-field">
      {label}
      <input
        className="jp-Exeds-input jp-Exeds-number"
        inputMode="decimal"
        aria-invalid={!valid}
        value={text}
        onChange={event => setText(event.target.value)}
        onBlur={() => valid && onPolicy({ ...policy, [name]: value })}
      />
    </label>
  );
}
