import type { Browser } from 'playwright-core';
import { FAMILY } from '../../test/support/page/known-documents.ts';
import { serveLargeFamily } from '../../test/support/page/large-family.ts';
import { look } from '../../test/support/page/looking.ts';
import { type Row, spreadOf } from '../support/table.ts';

const STEPS = 45;
/** Longer than it takes until the table follows. */
const RESTED_MS = 1000;
const PAINTED = 'new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))';

/** What each step of the slider costs the page's main thread, in CPU time, where a family has 1,000 texts. */
export async function sliderSteps(browser: Browser, url: string): Promise<Row[]> {
  const { page } = await look(browser, `${url}#/family`);
  await serveLargeFamily(page);
  await page.getByLabel('URL of a page').fill(FAMILY);
  await page.getByRole('button', { name: 'Show its family' }).click();
  await page.locator('.map').waitFor();
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busyMs = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  };
  await page.getByRole('slider', { name: 'Threshold' }).focus();
  const moving: number[] = [];
  for (let step = 0; step < STEPS; step++) {
    const before = await busyMs();
    await page.keyboard.press('ArrowRight');
    await page.evaluate(PAINTED);
    moving.push((await busyMs()) - before);
  }
  await page.waitForTimeout(RESTED_MS);
  const before = await busyMs();
  await page.keyboard.press('PageDown');
  await page.waitForTimeout(RESTED_MS);
  const resting = (await busyMs()) - before;
  await page.context().close();
  return [
    { row: 'a step of a family of 1,000', ...spreadOf(moving), unit: 'ms', note: `CPU, median of ${STEPS}` },
    { row: '… of ten percent, and its table once the slider rests', value: resting, unit: 'ms', note: 'CPU' },
  ];
}
