/*
 * The pictures of the page in the README and in docs/page.md, taken in Chromium of what its tests look at, and of the licences of
 * this clone's packages.
 *
 *     npm run page:pictures
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatAddress, type Params, type ViewName } from '../../src/page/address/view-address.ts';
import { launchBrowser } from '../../test/support/http/browser.ts';
import { type Licence, licences, PACKAGES, putLicences } from '../../test/support/page/licences.ts';
import { look } from '../../test/support/page/looking.ts';
import { openPageService } from '../../test/support/page/page-service.ts';
import { LOOKED } from '../../test/support/page/views.ts';

const PLACE = fileURLToPath(new URL('../../docs/', import.meta.url));
const SIZE = { width: 1100, height: 720 };

interface Picture {
  readonly name: string;
  readonly view: ViewName;
  readonly params: Params;
  /** What is at its top. */
  readonly top: string;
  readonly shown: string;
  readonly click?: string;
  /** In CSS pixels, where it is not as high as the others. */
  readonly height?: number;
  /** Where a slider is moved to, in percent. */
  readonly slide?: string;
}

const of = (view: ViewName) => LOOKED.find((looked) => looked.view === view)!;
const FASTIFY = 'https://fastify.example/fastify/LICENSE';
const PICTURES: readonly Picture[] = [
  { name: 'page-ask', ...of('ask'), top: '.outcome', click: '.match .actions button' },
  { name: 'page-compare', ...of('compare'), top: '.outcome' },
  { name: 'page-made-of', ...of('made-of'), top: '.outcome' },
  {
    ...{ name: 'page-family', view: 'family', params: { url: FASTIFY, threshold: '0.6' } },
    ...{ shown: '.map', top: '.outcome h2', slide: '92', height: 960 },
  },
];

const service = await openPageService();
const browser = await launchBrowser();
try {
  await putLicences(service, licences().map(asPublished));
  for (const { name, view, params, top, shown, click, slide, height = SIZE.height } of PICTURES) {
    const { page } = await look(browser, service.url + formatAddress({ view, params }), {
      viewport: { ...SIZE, height },
    });
    await page.locator(shown).first().waitFor();
    if (click !== undefined) await page.locator(click).first().click();
    if (slide !== undefined) await page.locator('input[type=range]').fill(slide);
    await page.evaluate('document.activeElement.blur()');
    await page
      .locator(top)
      .first()
      .evaluate((element) => {
        (element as unknown as { scrollIntoView: (at: boolean) => void }).scrollIntoView(true);
      });
    await page.screenshot({ path: `${PLACE}${name}.png` });
    await page.context().close();
  }
} finally {
  await browser.close();
  await service.close();
}

/** A licence at the host of whose package it is, seen first in the year that it names first: what a picture by date and host shows. */
function asPublished({ name, text }: Licence): Licence {
  const { repository } = JSON.parse(readFileSync(`${PACKAGES}${name}/package.json`, 'utf8'));
  const [, owner = 'elsewhere'] =
    /(?:github(?:\.com[/:]|:)|^)([\w-]+)\//.exec(repository?.url ?? String(repository)) ?? [];
  const year = /\b(?:19|20)\d\d\b/.exec(text)?.[0] ?? '2026';
  return {
    name,
    text,
    url: `https://${owner.toLowerCase()}.example/${name}/LICENSE`,
    observedAt: `${year}-01-01T00:00:00Z`,
  };
}
