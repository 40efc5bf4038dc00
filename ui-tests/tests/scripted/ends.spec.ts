import { expect, test } from '@jupyterlab/galata';
import type { Locator } from '@playwright/test';
import {
  activate,
  begin,
  candidates,
  descendants,
  generateButton,
  kernelProcess,
  kernelState,
  model,
  notebookJson,
  screenshot
} from '../panel';

// Galata answers every POST under api/kernels itself, which breaks restarts.
test.use({ kernels: null });

const stopButton = (panel: Locator) =>
  panel.getByRole('button', { name: /^Stop/ });

test('Stop in the middle of a reply ends the request to the model', async ({
  page,
  request,
  tmpPath
}) => {
  const panel = await begin(page, request, `${tmpPath}/ends.ipynb`, 'Hold on in the middle');
  const { abandoned } = await model(request, 'state');
  const before = await notebookJson(page);
  await generateButton(panel).click();
  await model(request, 'wait?held=1');
  await expect(candidates(panel).first()).toContainText('Writing');
  await stopButton(panel).click();
  await model(request, `wait?abandoned=${abandoned + 1}`);
  await expect(generateButton(panel)).toBeEnabled();
  await expect(candidates(panel).first()).toContainText('Not finished');
  expect(await notebookJson(page)).toEqual(before);
});

test('Escape in the middle of a trial ends its process', async ({
  page,
  request,
  tmpPath
}) => {
  const panel = await begin(page, request, `${tmpPath}/ends.ipynb`, 'Run for ever');
  const kernel = await kernelProcess(page);
  const alone = descendants(kernel);
  const before = await kernelState(page);
  await generateButton(panel).click();
  await expect(panel.getByText('begun', { exact: true })).toBeVisible();
  expect(descendants(kernel).length).toBeGreaterThan(alone.length);
  await stopButton(panel).focus();
  await page.keyboard.press('Escape');
  await expect(generateButton(panel)).toBeEnabled();
  await expect.poll(() => descendants(kernel)).toEqual(alone);
  expect(await kernelState(page)).toEqual(before);
});

test('a kernel killed during a trial is named, with what to do', async ({
  page,
  request,
  tmpPath
}) => {
  const panel = await begin(page, request, `${tmpPath}/ends.ipynb`, 'Run for ever');
  const before = await notebookJson(page);
  const kernel = await kernelProcess(page);
  await generateButton(panel).click();
  await expect(panel.getByText('begun', { exact: true })).toBeVisible();
  process.kill(kernel, 'SIGKILL');
  const alert = panel.getByRole('alert');
  await expect(alert).toContainText('KernelDied', { timeout: 30_000 });
  await expect(alert).toContainText(/kernel/i);
  await expect(
    panel.getByRole('status').filter({ hasText: /kernel (restarted|died)/ })
  ).toBeVisible({ timeout: 30_000 });
  expect(await notebookJson(page)).toEqual(before);
  await page.screenshot({ path: screenshot('kernel-died') });
});

test('a connection to the model that drops names its layer, and can be retried', async ({
  page,
  request,
  tmpPath
}) => {
  const panel = await begin(page, request, `${tmpPath}/ends.ipynb`, 'Break off in the middle');
  const before = await notebookJson(page);
  await generateButton(panel).click();
  const alert = panel.getByRole('alert');
  await expect(alert).toContainText('layer: stream', { timeout: 30_000 });
  await expect(alert.getByRole('button', { name: 'Retry' })).toBeVisible();
  expect(await notebookJson(page)).toEqual(before);
  await page.screenshot({ path: screenshot('model-dropped') });
});

test('output of a trial is shown and runs nothing', async ({
  page,
  request,
  tmpPath
}) => {
  const panel = await begin(page, request, `${tmpPath}/ends.ipynb`, 'Show hostile output');
  await generateButton(panel).click();
  await expect(candidates(panel).first()).toContainText('Ran, not checked');
  await panel.getByText(/1 output/).click();
  await expect(panel.getByText('bold', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => (window as any).hostile)).toBeUndefined();
});

test('a check waits for the cell that runs, and says so', async ({
  page,
  request,
  tmpPath
}) => {
  const panel = await begin(page, request, `${tmpPath}/ends.ipynb`, 'What is the sum?');
  await page.evaluate(() =>
    (window as any).jupyterapp.shell.currentWidget.content.widgets[2].model.sharedModel.setSource(
      'import time\nfor _ in range(30): time.sleep(0.1)'
    )
  );
  await activate(page, 2);
  void page.evaluate(() =>
    (window as any).jupyterapp.commands.execute('notebook:run-cell')
  );
  await expect(
    panel.getByText(/The kernel is running the cell/)
  ).toBeVisible();
  await generateButton(panel).click();
  await expect(candidates(panel).first()).toContainText('Ran, not checked', {
    timeout: 20_000
  });
});
