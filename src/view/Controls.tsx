import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { GeneratorInfo } from '../api/generated';
import { seconds } from '../format';

export interface IControlsProps {
  trans: TranslationBundle;
  isRunning: boolean;
  /** Milliseconds since the epoch at which the attempt began. */
  started: number | null;
  count: number;
  generator: GeneratorInfo | null;
  /** Why the button cannot be used now; null when it can. */
  blocked: string | null;
  onGenerate(): void;
  onStop(): void;
  onCount(count: number): void;
}

const MOST = 10;

/** The one button, which becomes Stop while something runs. */
export function Controls(props: IControlsProps): React.ReactElement {
  const mark = React.useRef<HTMLDivElement>(null);
  // Whoever starts wants to see what comes: it stands below the button.
  React.useEffect(() => {
    if (props.isRunning) {
      mark.current?.scrollIntoView?.({ block: 'start' });
    }
  }, [props.isRunning]);
  return (
    <>
      <div ref={mark} />
      <Bar {...props} />
    </>
  );
}

function Bar(props: IControlsProps): React.ReactElement {
  const { trans } = props;
  return (
    <div className="jp-Exeds-controls">
      {props.isRunning ? (
        <button
          type="button"
          className="jp-Exeds-primary jp-mod-stop"
          onClick={props.onStop}
        >
          <span aria-hidden="true">■ </span>
          {trans.__('Stop')} <kbd>{trans.__('Esc')}</kbd>
        </button>
      ) : (
        <button
          type="button"
          className="jp-Exeds-primary"
          disabled={props.blocked !== null}
          title={props.blocked ?? undefined}
          onClick={props.onGenerate}
        >
          {trans.__('Generate & check')} <kbd>{trans.__('Ctrl+Alt+Enter')}</kbd>
        </button>
      )}
      {props.isRunning && props.started !== null && (
        <Elapsed started={props.started} />
      )}
      <label className="jp-Exeds-field">
        <select
          className="jp-Exeds-select"
          aria-label={trans.__('Number of candidates')}
          value={props.count}
          disabled={props.isRunning}
          onChange={event => props.onCount(Number(event.target.value))}
        >
          {Array.from({ length: MOST }, (_, place) => (
            <option key={place} value={place + 1}>
              {trans._n('%1 candidate', '%1 candidates', place + 1)}
            </option>
          ))}
        </select>
      </label>
      {props.generator && <Generator {...props} generator={props.generator} />}
      {props.blocked !== null && !props.isRunning && (
        <span className="jp-Exeds-hint">{props.blocked}</span>
      )}
    </div>
  );
}

/** Seconds since the start, counted in whole ones so that nothing flickers. */
function Elapsed(props: { started: number }): React.ReactElement {
  const [now, setNow] = React.useState(Date.now());
  React.useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, []);
  const passed = Math.max(0, Math.floor((now - props.started) / 1000));
  return <span className="jp-Exeds-elapsed">{seconds(passed)}</span>;
}

function Generator(props: {
  trans: TranslationBundle;
  generator: GeneratorInfo;
}): React.ReactElement {
  const { trans, generator } = props;
  const where = generator.leaves_machine
    ? trans.__('the prompt leaves this machine')
    : trans.__('stays on this machine');
  return (
    <span className="jp-Exeds-generator" title={generator.label}>
      {generator.model} · {where}
    </span>
  );
}
