import type { JupyterFrontEndPlugin } from '@jupyterlab/application';

/** The extension's only entry point: JupyterLab activates what stands here. */
const plugin: JupyterFrontEndPlugin<void> = {
  id: 'exeds-lab:plugin',
  description: 'Generates code and checks it before it enters the notebook.',
  autoStart: true,
  activate: () => undefined
};

export default plugin;
