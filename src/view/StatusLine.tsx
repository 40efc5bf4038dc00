import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { firstLine } from '../format';

export type KernelView =
  | { kind: 'none' }
  | { kind: 'starting' }
  | { kind: 'dead' }
  | { kind: 'restarted' }
  | { kind: 'foreign'; language: string }
  | { kind: 'ready' };

export interface IStatusLineProps {
  trans: TranslationBundle;
  kernel: KernelView;
  /** Source of the cell that runs now; null when none does. */
  runningCell: string | null;
  /** Whether an attempt runs, which would wait for the cell. */
  isRunning: boolean;
  onStartKernel(): void;
  onRestartKernel(): void;
  onRunAbove(): void;
  onCancel(): void;
}

/** What keeps code from being checked, and what to do about it; nothing when all is well. */
export function StatusLine(props: IStatusLineProps): React.ReactElement | null {
  const notice = noticeOf(props);
  if (!notice) {
    return null;
  }
  return (
    <div className="jp-Exeds-status" role="status">
      <span>{notice.text}</span>
      {notice.action && (
        <button
          type="button"
          className="jp-Exeds-button"
          onClick={notice.action.run}
        >
          {notice.action.label}
        </button>
      )}
    </div>
  );
}

interface INotice {
  text: string;
  action?: { label: string; run(): void };
}

function noticeOf(props: IStatusLineProps): INotice | null {
  const { trans, kernel } = props;
  switch (kernel.kind) {
    case 'none':
      return {
        text: trans.__('Start a kernel to check code; you can still generate.'),
        action: { label: trans.__('Start kernel'), run: props.onStartKernel }
      };
    case 'starting':
      return { text: trans.__('The kernel is starting.') };
    case 'dead':
      return {
        text: trans.__('The kernel died; its variables are gone.'),
        action: {
          label: trans.__('Restart kernel'),
          run: props.onRestartKernel
        }
      };
    case 'restarted':
      return {
        text: trans.__(
          'The kernel restarted; its variables are gone. Run the cells above.'
        ),
        action: { label: trans.__('Run all above'), run: props.onRunAbove }
      };
    case 'foreign':
      return {
        text: trans.__(
          'Checking works for Python kernels, this one speaks %1; you can still generate.',
          kernel.language
        )
      };
    case 'ready':
      return busyNotice(props);
  }
}

function busyNotice(props: IStatusLineProps): INotice | null {
  const { trans, runningCell } = props;
  if (runningCell === null) {
    return null;
  }
  const text = trans.__(
    'The kernel is running the cell “%1”; a check starts when it is done.',
    firstLine(runningCell, 40)
  );
  return props.isRunning
    ? { text, action: { label: trans.__('Cancel'), run: props.onCancel } }
    : { text };
}
