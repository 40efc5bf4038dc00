import { expect, test } from '@jupyterlab/galata';
import {
  begin,
  candidates,
  expectResult,
  generateButton,
  insertUndoRedoRun,
  kernelState,
  screenshot,
  TABLE,
  TASK
} from '../panel';

test.use({ kernels: null });

test('with no key and no network: a checked answer, inserted, undone, redone, run', async ({
  page,
  request,
  tmpPath
}) => {
  const panel = await begin(page, request, `${tmpPath}/local.ipynb`, TASK);
  await expect(panel.getByText(/stays on this machine/)).toBeVisible();
  await expectResult(panel, 'table', TABLE);
  const before = await kernelState(page);
  await generateButton(panel).click();
  await expect(candidates(panel).first()).toHaveText(/Passed/, {
    timeout: 60_000
  });
  await expect(generateButton(panel)).toBeEnabled({ timeout: 60_000 });
  expect(await kernelState(page)).toEqual(before);
  await page.screenshot({ path: screenshot('embedded') });
  await insertUndoRedoRun(page, panel, before);
});
