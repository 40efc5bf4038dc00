import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ILayoutRestorer } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import { checkIcon } from '@jupyterlab/ui-components';
import { Client } from './api/client';
import { addCommands } from './commands';
// The panel must stand in the shell when the layout is restored: what it is made of is needed at
// once.

import { PanelModel } from './model/panel';
import { Badges } from './widget/badges';
import { openOnRequest } from './widget/opening';
import { PanelWidget } from './widget/panel';

/** The panel and its commands. */
const panelPlugin: JupyterFrontEndPlugin<PanelModel> = {
  id: 'exeds-lab:plugin',
  description: 'Generates code and checks it before it enters the notebook.',
  autoStart: true,
  requires: [INotebookTracker, IRenderMimeRegistry],
  optional: [ICommandPalette, ILayoutRestorer, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker,
    rendermime: IRenderMimeRegistry,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null,
    translator: ITranslator | null
  ) => {
    const trans = (translator ?? nullTranslator).load('exeds_lab');
    const client = new Client(app.serviceManager.serverSettings);
    const model = new PanelModel(tracker, client);
    const run = (command: string) => () => void app.commands.execute(command);
    const panel = new PanelWidget({
      model,
      rendermime,
      trans,
      kernel: {
        startKernel: run('notebook:change-kernel'),
        restartKernel: run('notebook:restart-kernel'),
        runAbove: run('notebook:run-all-above')
      }
    });
    panel.title.icon = checkIcon;
    panel.title.caption = trans.__('Generate & Check');
    app.shell.add(panel, 'right', { rank: 900, type: 'Generate & Check' });
    restorer?.add(panel, panel.id);
    addCommands({ app, model, panel, trans, palette });
    openOnRequest(tracker, () => app.shell.activateById(panel.id));
    new Badges({
      tracker,
      trans,
      onOpen: (notebook, provenance) => {
        model.sessionOf(notebook).open(provenance);
        app.shell.activateById(panel.id);
      }
    });
    return model;
  }
};

export default panelPlugin;
