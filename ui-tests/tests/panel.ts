import { execFileSync } from 'node:child_process';
import type { IJupyterLabPageFixture } from '@jupyterlab/galata';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** What the tests of the panel share: notebooks, the panel, the kernel, the model's server. */

export const TASK = 'Total revenue per region, largest first';

export const SETUP = [
  'import pandas as pd',
  'df = pd.DataFrame({',
  '    "region": ["North", "South", "North", "West", "East", "South"],',
  '    "revenue": [10240.5, 5118.0, 8000.0, 12000.0, 9800.25, 10000.0],',
  '})',
  'targets = {"North": 18000, "South": 15000}'
].join('\n');

/** As pasted from a spreadsheet. */
export const TABLE = [
  'region\trevenue',
  'North\t18240.5',
  'South\t15118.0',
  'West\t12000.0',
  'East\t9800.25'
].join('\n');

/** The cells of a small notebook: data, a task, and a cell below it. */
export function cellsOf(task: string): { kind: 'code' | 'markdown'; source: string }[] {
  return [
    { kind: 'code', source: SETUP },
    { kind: 'markdown', source: task },
    { kind: 'code', source: 'done = True' }
  ];
}

/** Write a notebook with this task into the server's folder. */
export async function writeNotebook(
  request: APIRequestContext,
  baseURL: string,
  path: string,
  task: string
): Promise<void> {
  const cells = cellsOf(task).map(({ kind, source }, place) => ({
    id: `cell-${place}`,
    cell_type: kind,
    metadata: {},
    source,
    ...(kind === 'code' ? { execution_count: null, outputs: [] } : {})
  }));
  const content = {
    cells,
    metadata: {
      kernelspec: {
        display_name: 'Python 3 (ipykernel)',
        language: 'python',
        name: 'python3'
      }
    },
    nbformat: 4,
    nbformat_minor: 5
  };
  const address = `${baseURL}/api/contents/${encodeURI(path)}`;
  const reply = await request.put(address, {
    data: { type: 'notebook', format: 'json', content }
  });
  expect(reply.ok()).toBe(true);
}

/** Run a command of the application. */
export async function run(page: Page, command: string): Promise<void> {
  await page.evaluate(
    id => (window as any).jupyterapp.commands.execute(id),
    command
  );
}

export const panelOf = (page: Page): Locator =>
  page.locator('#exeds-lab-panel');

export async function openPanel(page: Page): Promise<Locator> {
  await run(page, 'exeds-lab:open-panel');
  await expect(panelOf(page)).toBeVisible();
  return panelOf(page);
}

/** The sources of the current notebook's cells. */
export function sources(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    (window as any).jupyterapp.shell.currentWidget.content.model.sharedModel.cells.map(
      (cell: any) => cell.getSource()
    )
  );
}

/** The whole notebook as JSON, outputs and metadata included. */
export function notebookJson(page: Page): Promise<unknown> {
  return page.evaluate(() =>
    (window as any).jupyterapp.shell.currentWidget.content.model.toJSON()
  );
}

/** Put the cursor into a cell of the current notebook. */
export async function activate(page: Page, index: number): Promise<void> {
  await page.evaluate(place => {
    (window as any).jupyterapp.shell.currentWidget.content.activeCellIndex =
      place;
  }, index);
}

/** Run a cell of the current notebook and wait for its end. */
export async function runCell(page: Page, index: number): Promise<void> {
  await page.evaluate(async () => {
    const { sessionContext } = (window as any).jupyterapp.shell.currentWidget;
    await sessionContext.ready;
    await sessionContext.session.kernel.info;
  });
  await activate(page, index);
  await run(page, 'notebook:run-cell');
  await page.waitForFunction(
    place =>
      (window as any).jupyterapp.shell.currentWidget.content.widgets[place]
        .model.executionCount !== null,
    index
  );
}

/** A notebook with this task, its data loaded, the cursor at the task, the panel beside it. */
export async function begin(
  page: IJupyterLabPageFixture,
  request: APIRequestContext,
  path: string,
  task: string
): Promise<Locator> {
  await writeNotebook(request, new URL(page.url()).origin, path, task);
  await page.notebook.openByPath(path);
  await page.notebook.activate(path.split('/').pop() ?? '');
  await runCell(page, 0);
  await activate(page, 1);
  const panel = await openPanel(page);
  await expect(
    panel.getByRole('checkbox', { name: /^df DataFrame/ })
  ).toBeChecked();
  return panel;
}

/** What the kernel's user can see of it, as text: every variable's digest, In, Out, the counter. */
export async function kernelState(page: Page): Promise<unknown> {
  const state = [
    '{"variables": {name: __import__("hashlib").sha256(__import__("pickle").dumps(value)).hexdigest()',
    ' for name, value in sorted(get_ipython().user_ns.items())',
    ' if name in ("df", "targets", "done")},',
    ' "names": sorted(name for name in get_ipython().user_ns),',
    ' "in": list(get_ipython().user_ns["In"]), "out": sorted(get_ipython().user_ns["Out"]),',
    ' "count": get_ipython().execution_count, "folder": __import__("os").getcwd()}'
  ].join('');
  return page.evaluate(async expression => {
    const { kernel } = (window as any).jupyterapp.shell.currentWidget
      .sessionContext.session;
    const reply = await kernel.requestExecute({
      code: '',
      silent: true,
      store_history: false,
      user_expressions: { state: expression }
    }).done;
    return reply.content.user_expressions.state;
  }, state);
}

/** Id of the process of the current notebook's kernel. */
export async function kernelProcess(page: Page): Promise<number> {
  const text = await page.evaluate(async () => {
    const { kernel } = (window as any).jupyterapp.shell.currentWidget
      .sessionContext.session;
    const reply = await kernel.requestExecute({
      code: '',
      silent: true,
      store_history: false,
      user_expressions: { id: '__import__("os").getpid()' }
    }).done;
    return reply.content.user_expressions.id.data['text/plain'];
  });
  return Number(text);
}

/** Ids of all processes below one, zombies excepted. */
export function descendants(process: number): number[] {
  const table = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,stat='], {
    encoding: 'utf-8'
  })
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, , state]) => !state.startsWith('Z'))
    .map(([id, parent]) => ({ id: Number(id), parent: Number(parent) }));
  const below = (parent: number): number[] =>
    table
      .filter(item => item.parent === parent)
      .flatMap(item => [item.id, ...below(item.id)]);
  return below(process);
}

/** Choose a kind of expected result and type it. */
export async function expectResult(
  panel: Locator,
  kind: string,
  text: string
): Promise<void> {
  await panel
    .getByRole('combobox', { name: 'Kind of expected result' })
    .selectOption(kind);
  await panel.getByRole('textbox', { name: 'Expected result' }).fill(text);
}

export const generateButton = (panel: Locator): Locator =>
  panel.getByRole('button', { name: /Generate & check/ });

export const candidates = (panel: Locator): Locator =>
  panel.getByRole('listbox', { name: 'Candidates' }).getByRole('option');

/** Ask the scripted model's server: `state`, or wait until it has reached something. */
export async function model(
  request: APIRequestContext,
  action: string
): Promise<{ held: number; abandoned: number; sending: number }> {
  const address = `${process.env.EXEDS_UI_MODEL}/control/${action}`;
  return (await request.get(address)).json();
}

/** Where screenshots for people go. */
export const screenshot = (name: string): string => `screenshots/${name}.png`;

/**
 * Insert the candidate shown; one undo removes it, redo brings it back, the kernel knows nothing
 * of it; then the inserted cell runs and gives the expected table.
 */
export async function insertUndoRedoRun(
  page: Page,
  panel: Locator,
  before: unknown
): Promise<void> {
  await panel.getByRole('button', { name: 'Insert below' }).click();
  const inserted = await sources(page);
  const [code] = inserted.splice(2, 1);
  expect(inserted).toEqual([SETUP, TASK, 'done = True']);
  expect(code).toContain('revenue');
  await expect(
    page.locator('.jp-Notebook-cell.jp-mod-active')
  ).toContainText('revenue');
  await expect(page.locator('.jp-Exeds-cellBadge')).toHaveText(
    /✔ verified \d\d:\d\d/
  );

  await run(page, 'notebook:undo-cell-action');
  expect(await sources(page)).toEqual(inserted);
  await expect(page.locator('.jp-Exeds-cellBadge')).toHaveCount(0);
  await run(page, 'notebook:redo-cell-action');
  expect(await sources(page)).toEqual([SETUP, TASK, code, 'done = True']);
  expect(await kernelState(page)).toEqual(before);

  await runCell(page, 2);
  await expect(
    page.locator('.jp-NotebookPanel .jp-OutputArea-output tbody tr')
  ).toHaveText([
    /North\s*18240.50/,
    /South\s*15118.00/,
    /West\s*12000.00/,
    /East\s*9800.25/
  ]);
}
