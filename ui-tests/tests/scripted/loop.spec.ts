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

test('task, expectation, three candidates, a diff, insert, undo, redo, run', async ({
  page,
  request,
  tmpPath
}) => {
  const path = `${tmpPath}/Umsätze 2026.ipynb`;
  const panel = await begin(page, request, path, TASK);

  await expect(panel.getByText(TASK, { exact: true })).toBeVisible();
  await expectResult(panel, 'table', TABLE);
  await expect(
    panel.getByRole('group', { name: 'What was understood' })
  ).toContainText('18240.5');
  await page.screenshot({ path: screenshot('declared') });

  const before = await kernelState(page);
  await generateButton(panel).click();
  await expect(candidates(panel)).toHaveText([
    /✖1Wrong order/,
    /✔2Passed/,
    /✖3Error/
  ]);
  await expect(generateButton(panel)).toBeEnabled();
  expect(await kernelState(page)).toEqual(before);

  // The one that passed stands first; the one in another order shows where its rows belong.
  await expect(candidates(panel).nth(1)).toHaveAttribute(
    'aria-selected',
    'true'
  );
  await page.screenshot({ path: screenshot('passed') });
  await candidates(panel).nth(0).click();
  const diff = panel.getByRole('group', { name: /in another place/ }).first();
  await expect(diff).toBeVisible();
  await expect(panel.getByText('0 of 2 variables changed')).toBeVisible();
  await diff.scrollIntoViewIfNeeded();
  await page.screenshot({ path: screenshot('wrong-order') });
  await candidates(panel).nth(2).click();
  await expect(panel.getByText(/KeyError/).first()).toBeVisible();

  await candidates(panel).nth(1).click();
  await insertUndoRedoRun(page, panel, before);
  await page.screenshot({ path: screenshot('inserted') });
});

test('a near miss is accepted without running again, then inserted', async ({
  page,
  request,
  tmpPath
}) => {
  const path = `${tmpPath}/accept.ipynb`;
  const panel = await begin(page, request, path, TASK);
  await expectResult(panel, 'table', TABLE);
  await generateButton(panel).click();
  await expect(candidates(panel)).toHaveText([/✖1/, /✔2/, /✖3/]);
  await candidates(panel).nth(0).click();
  await panel.getByRole('button', { name: 'Accept any row order' }).click();
  await expect(candidates(panel)).toHaveText([/✔1Passed/, /✔2Passed/, /✖3/]);
  await expect(panel.getByText(/any row order/).first()).toBeVisible();
});

test('code that did not pass is inserted only as unverified; an edit is noticed', async ({
  page,
  request,
  tmpPath
}) => {
  const path = `${tmpPath}/unverified.ipynb`;
  const panel = await begin(page, request, path, TASK);
  await expectResult(panel, 'table', TABLE);
  await generateButton(panel).click();
  await expect(candidates(panel)).toHaveText([/✖1/, /✔2/, /✖3/]);

  await candidates(panel).nth(0).click();
  await panel.getByRole('button', { name: 'Insert anyway…' }).click();
  await panel
    .getByRole('button', { name: 'Insert anyway, marked unverified' })
    .click();
  const badge = page.locator('.jp-Exeds-cellBadge');
  await expect(badge).toHaveText('○ unverified');

  await candidates(panel).nth(0).click();
  await panel.getByRole('button', { name: 'Edit & re-check' }).click();
  const editor = panel.getByRole('textbox', { name: 'Code to check' });
  await editor.fill(
    'df.groupby("region", as_index=False)["revenue"].sum().sort_values("revenue", ascending=False, ignore_index=True)'
  );
  await panel.getByRole('button', { name: 'Check this code' }).click();
  await expect(candidates(panel).nth(3)).toHaveText(/✔4Passed/);
  await expect(candidates(panel).nth(3)).toHaveAttribute(
    'aria-selected',
    'true'
  );

  await page.evaluate(() =>
    (window as any).jupyterapp.shell.currentWidget.content.widgets[2].model.sharedModel.setSource(
      'df.sum()'
    )
  );
  await expect(badge).toHaveText('✎ edited since');
});

test('a badge opens the panel with what was expected', async ({
  page,
  request,
  tmpPath
}) => {
  const path = `${tmpPath}/badge.ipynb`;
  const panel = await begin(page, request, path, TASK);
  await expectResult(panel, 'table', TABLE);
  await generateButton(panel).click();
  await expect(candidates(panel)).toHaveText([/✖1/, /✔2/, /✖3/]);
  await candidates(panel).nth(1).click();
  await panel.getByRole('button', { name: 'Insert below' }).click();
  await page.notebook.save();
  await page.notebook.close();
  await page.notebook.openByPath(path);
  await page.locator('.jp-Exeds-cellBadge').click();
  await expect(
    panel.getByRole('textbox', { name: 'Expected result' })
  ).toHaveValue(TABLE);
  await expect(
    panel.getByRole('group', { name: 'What was understood' })
  ).toContainText('18240.5');
});
