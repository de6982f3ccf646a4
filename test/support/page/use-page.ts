import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { keptBrowser } from '../http/browser.ts';
import { type Looking, lookIn, type Media, WINDOW } from './looking.ts';
import { openPageService, type PageService } from './page-service.ts';

/**
 * One service and one window for all tests of a file, and a tab for each: a tab has its own storage and history, and a
 * window of its own would be a process more, half of what a test costs.
 */
export interface PageInUse {
  /** Once tests run. */
  readonly service: PageService;
  /** Opens the page at an address behind its own, or at a whole one. */
  readonly at: (address: string, media?: Media) => Promise<Page>;
  /** Closes a page that nobody complained of. */
  readonly done: (page: Page) => Promise<void>;
}

/** @param script that each page runs before its own */
export function usePage(script = ''): PageInUse {
  let service: PageService;
  let context: BrowserContext;
  const open = new Map<Page, Looking>();
  beforeAll(async () => {
    service = await openPageService();
    context = await (await keptBrowser()).newContext({ viewport: WINDOW });
    if (script !== '') await context.addInitScript(script);
    // keeps the process between two tabs
    await (await context.newPage()).goto(service.url);
  });
  afterAll(async () => {
    await context.close();
    await service.close();
  });
  return {
    get service() {
      return service;
    },
    async at(address, media = {}) {
      const looking = await lookIn(context, new URL(address, service.url).href, media);
      open.set(looking.page, looking);
      return looking.page;
    },
    async done(page) {
      await page.close();
      expect(open.get(page)!.complaints).toEqual([]);
    },
  };
}
