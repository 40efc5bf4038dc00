import { expect, test } from '@playwright/test';
import {
  activate,
  candidates,
  expectResult,
  generateButton,
  insertUndoRedoRun,
  kernelState,
  openPanel,
  runCell,
  screenshot,
  TABLE,
  TASK,
  writeNotebook
} from '../panel';

test('the panel does in Notebook 7 what it does in JupyterLab', async ({
  page,
  request,
  baseURL
}) => {
  await writeNotebook(request, baseURL!, 'revenue.ipynb', TASK);
  await page.goto('/notebooks/revenue.ipynb');
  await page.waitForFunction(
    () => !!(window as any).jupyterapp?.shell.currentWidget?.content?.model
  );
  await runCell(page, 0);
  await activate(page, 1);
  const panel = await openPanel(page);
  await expectResult(panel, 'table', TABLE);
  await expect(
    panel.getByRole('group', { name: 'What was understood' })
  ).toContainText('18240.5');
  const before = await kernelState(page);
  await generateButton(panel).click();
  await expect(candidates(panel)).toHaveText([/✖1/, /✔2Passed/, /✖3/]);
  const box = await panel.boundingBox();
  expect(box!.width).toBeGreaterThanOrEqual(430);
  expect(box!.x + box!.width).toBeLessThan(1281);
  await page.screenshot({ path: screenshot('notebook7') });
  await candidates(panel).nth(1).click();
  await expect(
    panel.getByRole('region', { name: 'df unchanged' })
  ).toContainText('holds');
  await insertUndoRedoRun(page, panel, before);
  await page.screenshot({ path: screenshot('notebook7-inserted') });
});
