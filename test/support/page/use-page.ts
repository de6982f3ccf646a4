import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchBrowser } from '../http/browser.ts';
import { type Looking, look } from './looking.ts';
import { openPageService, type PageService } from './page-service.ts';

/** One browser and one service for all tests of a file. */
export interface PageInUse {
  /** Once tests run. */
  readonly service: PageService;
  /** Opens the page at an address behind its own, or at a whole one. */
  readonly at: (address: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Closes a page that nobody complained of. */
  readonly done: (page: Page) => Promise<void>;
}

export function usePage(): PageInUse {
  let service: PageService;
  let browser: Browser;
  const open = new Map<Page, Looking>();
  beforeAll(async () => {
    service = await openPageService();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });
  return {
    get service() {
      return service;
    },
    async at(address, options = {}) {
      const looking = await look(browser, new URL(address, service.url).href, options);
      open.set(looking.page, looking);
      return looking.page;
    },
    async done(page) {
      await page.context().close();
      expect(open.get(page)!.complaints).toEqual([]);
    },
  };
}
