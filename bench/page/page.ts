/*
 * What the page at / weighs, how soon it is there, what axe finds on it, and how far a newcomer has to go: in a real Chromium, over the service on this
 * machine, with the documents of its tests.
 *
 *     npm run bench:page [-- --json]
 *
 * A first paint is that of a browser that has nothing of the page yet (`first-contentful-paint`, from the beginning of the
 * navigation). An answer is there when its first match is drawn.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { launchBrowser } from '../../test/support/http/browser.ts';
import { LICENCE, licences, putLicences } from '../../test/support/page/licences.ts';
import { axeFindings, look } from '../../test/support/page/looking.ts';
import { changedPassage, runErrands } from '../../test/support/page/newcomer.ts';
import { openPageService } from '../../test/support/page/page-service.ts';
import { addressOf, LOOKED } from '../../test/support/page/views.ts';
import { printRows, type Row, spreadOf } from '../support/table.ts';
import { sliderSteps } from './family-slider.ts';

const LOADS = 30;
const PAINT = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null';

const service = await openPageService();
const browser = await launchBrowser();
try {
  const rows: Row[] = [...weights(service.pageFolder), ...(await paints()), await findings()];
  rows.push(...(await sliderSteps(browser, service.url)), ...(await errands()));
  printRows('The page', rows);
} finally {
  await browser.close();
  await service.close();
}

function weights(folder: string): Row[] {
  const zipped = (ending: string) => {
    const files = readdirSync(`${folder}/assets`).filter((name) => name.endsWith(ending));
    const sizes = files.map((name) => gzipSync(readFileSync(`${folder}/assets/${name}`)).length);
    return sizes.reduce((sum, size) => sum + size, 0) / 1000;
  };
  return [
    { row: 'script, in gzip', value: zipped('.js'), unit: 'kB', target: '<= 120' },
    { row: 'style, in gzip', value: zipped('.css'), unit: 'kB' },
  ];
}

async function paints(): Promise<Row[]> {
  const first: number[] = [];
  const answered: number[] = [];
  for (let load = 0; load < LOADS; load++) {
    const { page } = await look(browser, service.url + addressOf(LOOKED[0]!));
    await page.locator('.match').first().waitFor();
    answered.push(await page.evaluate<number>('performance.now()'));
    const painted = await page.evaluate<number | null>(PAINT);
    if (painted !== null) first.push(painted);
    await page.context().close();
  }
  return [
    { row: 'first paint', ...spreadOf(first), unit: 'ms', target: '<= 300', note: `median of ${first.length}` },
    { row: 'first answer drawn', ...spreadOf(answered), unit: 'ms', note: `median of ${answered.length}` },
  ];
}

async function findings(): Promise<Row> {
  let value = 0;
  let states = 0;
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const of of LOOKED) {
      const { page } = await look(browser, service.url + addressOf(of), { colorScheme });
      for (const isAnswered of [false, true]) {
        if (isAnswered && of.pasted !== undefined) {
          await page.locator('textarea').fill(of.pasted);
          await page.locator('button.main').click();
        }
        if (isAnswered) await page.locator(of.shown).first().waitFor();
        value += (await axeFindings(page)).length;
        states++;
      }
      await page.context().close();
    }
  }
  return {
    row: 'findings of axe',
    value,
    unit: '',
    target: '<= 0',
    note: `in ${states} states of ${LOOKED.length} views`,
  };
}

/** In the index are the licences of this clone's packages, too. */
async function errands(): Promise<Row[]> {
  const all = licences();
  await putLicences(service, all);
  const { page } = await look(browser, service.url);
  const passage = changedPassage(all.find(({ url }) => url === LICENCE)!);
  const done = await runErrands(page, passage);
  await page.context().close();
  return done.map(({ what, steps, keys }) => ({
    ...{ row: `a newcomer finds ${what}`, value: keys, unit: 'keys', note: `${steps} steps, by the keyboard alone` },
  }));
}
