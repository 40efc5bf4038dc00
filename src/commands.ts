import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { LabIcon } from '@jupyterlab/ui-components';
import { checkIcon } from '@jupyterlab/ui-components';
import type { PanelModel } from './model/panel';
import type { PanelWidget } from './widget/panel';

export namespace CommandIDs {
  export const openPanel = 'exeds-lab:open-panel';
  export const generateCode = 'exeds-lab:generate-code';
  export const stopAttempt = 'exeds-lab:stop-attempt';
  export const insertCandidate = 'exeds-lab:insert-candidate';
  export const insertUnverified = 'exeds-lab:insert-unverified';
  export const editCandidate = 'exeds-lab:edit-candidate';
  export const nextCandidate = 'exeds-lab:next-candidate';
  export const previousCandidate = 'exeds-lab:previous-candidate';
  export const showPrompt = 'exeds-lab:show-prompt';
  export const followCursor = 'exeds-lab:follow-cursor';
}

export interface ICommandsOptions {
  app: JupyterFrontEnd;
  model: PanelModel;
  panel: PanelWidget;
  trans: TranslationBundle;
  /** Null where the application has no palette. */
  palette: ICommandPalette | null;
}

/** What one command does; the rest is the same for all. */
interface ICommand {
  label: string;
  execute(): unknown;
  isEnabled?(): boolean;
  icon?: LabIcon;
}

const NO_ARGUMENTS = { args: { type: 'object', properties: {} } } as const;

/** Register every action as a command that a key can be bound to. */
export function addCommands(options: ICommandsOptions): void {
  const { app, palette, trans, model } = options;
  const category = trans.__('Generate & Check');
  for (const [id, command] of Object.entries(commandsOf(options))) {
    app.commands.addCommand(id, {
      ...command,
      describedBy: NO_ARGUMENTS
    });
    palette?.addItem({ command: id, category });
  }
  let before = '';
  model.changed.connect(() => {
    const now = enabling(model);
    if (now !== before) {
      before = now;
      app.commands.notifyCommandChanged();
    }
  });
}

/** All that decides whether a command can be used, as text. */
function enabling(model: PanelModel): string {
  const work = model.session?.work;
  const selected = work?.selected;
  return JSON.stringify([
    work?.runner.isRunning,
    selected?.trial?.verdict.status,
    selected?.candidate?.id
  ]);
}

function commandsOf(options: ICommandsOptions): Record<string, ICommand> {
  return { ...panelCommands(options), ...candidateCommands(options) };
}

function panelCommands(options: ICommandsOptions): Record<string, ICommand> {
  const { app, model, panel, trans } = options;
  const work = () => model.session?.work ?? null;
  const open = () => app.shell.activateById(panel.id);
  return {
    [CommandIDs.openPanel]: {
      label: trans.__('Generate & Check'),
      icon: checkIcon,
      execute: open
    },
    [CommandIDs.generateCode]: {
      label: trans.__('Generate and Check Code'),
      isEnabled: () => work() !== null && !work()?.runner.isRunning,
      execute: () => {
        open();
        return model.generate();
      }
    },
    [CommandIDs.stopAttempt]: {
      label: trans.__('Stop Generating and Checking'),
      isEnabled: () => work()?.runner.isRunning ?? false,
      execute: () => model.stop()
    },
    [CommandIDs.showPrompt]: {
      label: trans.__('Show or Hide the Exact Prompt'),
      isEnabled: () => work() !== null,
      execute: () => {
        open();
        return work()?.togglePrompt(model.count);
      }
    },
    [CommandIDs.followCursor]: {
      label: trans.__('Use the Task at the Cursor'),
      isEnabled: () => model.session !== null,
      execute: () => {
        open();
        model.session?.followCursor();
      }
    }
  };
}

function candidateCommands(
  options: ICommandsOptions
): Record<string, ICommand> {
  const { model, panel, trans } = options;
  const status = () =>
    model.session?.work.selected?.trial?.verdict.status ?? null;
  const hasCandidate = () => Boolean(model.session?.work.selected);
  return {
    [CommandIDs.insertCandidate]: {
      label: trans.__('Insert the Checked Candidate'),
      isEnabled: () => status() === 'passed',
      execute: () => panel.insert()
    },
    [CommandIDs.insertUnverified]: {
      label: trans.__('Insert the Candidate Anyway, Marked Unverified'),
      isEnabled: () => status() !== null && status() !== 'passed',
      execute: () => panel.insert()
    },
    [CommandIDs.editCandidate]: {
      label: trans.__('Edit and Re-check the Candidate'),
      isEnabled: () => Boolean(model.session?.work.selected?.candidate?.code),
      execute: () => panel.edit(true)
    },
    [CommandIDs.nextCandidate]: {
      label: trans.__('Next Candidate'),
      isEnabled: hasCandidate,
      execute: () => model.session?.work.step(1)
    },
    [CommandIDs.previousCandidate]: {
      label: trans.__('Previous Candidate'),
      isEnabled: hasCandidate,
      execute: () => model.session?.work.step(-1)
    }
  };
}
