import type { Page } from 'playwright-core';
import { formatAddress, type Params, type ViewName } from '../../../src/page/address/view-address.ts';
import { readText } from '../tree/tree.ts';
import { ARTICLE, DRAFT, FAMILY, FINAL, MOVED } from './known-documents.ts';

/* Every view with a question that it answers. */

export interface LookedView {
  readonly view: ViewName;
  /** Where it is answered at once. */
  readonly params: Params;
  /** What stands there once it is. */
  readonly shown: string;
  /** What is pasted and asked first, where no address can say it. */
  readonly pasted?: string;
}

export const LOOKED: readonly LookedView[] = [
  { view: 'ask', params: { text: ARTICLE, queryInMatch: '0.2' }, shown: '.match' },
  { view: 'compare', params: { aText: DRAFT, bText: FINAL }, shown: '.pane' },
  { view: 'made-of', params: { text: ARTICLE }, shown: '.sheet .piece' },
  { view: 'family', params: { url: FAMILY, threshold: '0.3' }, shown: '.tree tbody tr' },
  { view: 'history', params: { url: MOVED }, shown: '.timeline' },
  { view: 'results', params: {}, shown: '.matches', pasted: readText('test/recorded/searxng.json') },
  { view: 'index', params: {}, shown: '.looks' },
];

export const addressOf = ({ view, params }: Pick<LookedView, 'view' | 'params'>) => formatAddress({ view, params });

/** Waits for all answers of a view, and pastes what no address can say. */
export async function answerOf(page: Page, { shown, pasted }: LookedView): Promise<void> {
  if (pasted !== undefined) {
    await page.locator('textarea').fill(pasted);
    await page.locator('button.main').click();
  }
  await page.locator(shown).first().waitFor();
  // a view may ask several questions, all at once
  await page.locator('.outcome[aria-busy=true]').first().waitFor({ state: 'detached' });
}
