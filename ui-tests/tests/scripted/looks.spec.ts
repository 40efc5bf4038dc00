import { expect, test } from '@jupyterlab/galata';
import {
  begin,
  candidates,
  expectResult,
  generateButton,
  panelOf,
  screenshot,
  TABLE,
  TASK
} from '../panel';

// Pictures for people, and what must hold in each: nothing is cut off sideways.
test.use({ kernels: null, viewport: { width: 1440, height: 1000 } });

test.beforeEach(async ({ page, request, tmpPath }) => {
  const path = `${tmpPath}/revenue.ipynb`;
  const panel = await begin(page, request, path, TASK);
  await page.sidebar.close('left');
  await expectResult(panel, 'table', TABLE);
  await generateButton(panel).click();
  await expect(candidates(panel)).toHaveText([/✖1/, /✔2/, /✖3/]);
});

for (const { name, width, dark } of [
  { name: 'light', width: 640, dark: false },
  { name: 'dark', width: 640, dark: true },
  { name: 'narrow', width: 400, dark: false },
  { name: 'wide', width: 880, dark: false }
]) {
  test(`the panel, ${name}`, async ({ page }) => {
    if (dark) {
      await page.theme.setDarkTheme();
    }
    await page.sidebar.setWidth(width, 'right');
    const panel = panelOf(page);
    await candidates(panel).nth(0).click();
    const diff = panel.getByRole('group', { name: /in another place/ });
    await expect(diff.first()).toBeVisible();
    await page.screenshot({ path: screenshot(`panel-${name}`) });
    const sideways = await panel.evaluate(
      node => node.scrollWidth - node.clientWidth
    );
    expect(sideways).toBe(0);
    await panel.evaluate(node => node.scrollTo(0, 0));
    await page.screenshot({ path: screenshot(`panel-${name}-top`) });
    await candidates(panel).nth(1).click();
    await panel
      .getByRole('button', { name: 'Insert below' })
      .scrollIntoViewIfNeeded();
    await page.screenshot({ path: screenshot(`panel-${name}-passed`) });
  });
}
