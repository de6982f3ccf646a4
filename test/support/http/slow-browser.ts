import type { Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { createPrng } from '../prng.ts';

/*
 * A machine that is slow, for those who look for tests that only pass on a fast one:
 *
 *     SHINGLED_SLOW=SEED npx vitest run test/browser/page.test.ts --testTimeout=300000
 *
 * Pages then compute at a sixth of the speed, and each answer comes up to 400 ms late, differently for each seed.
 */

const SEED = Number(process.env['SHINGLED_SLOW'] ?? 0);
const THROTTLED = Number(process.env['SHINGLED_SLOW_BY'] ?? 6);
const LATE_MAX_MS = Number(process.env['SHINGLED_LATE_MS'] ?? 400);
const random = createPrng(SEED);

/** The pages of a browser, slow where that is asked for. */
export function slowed(browser: Browser): Browser {
  if (SEED === 0) return browser;
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    const newPage = context.newPage.bind(context);
    context.newPage = () => newPage().then(throttled);
    return context;
  };
  return browser;
}

async function throttled(page: Page): Promise<Page> {
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: THROTTLED });
  return page;
}

/** Has a server answer late where that is asked for. */
export function answersLate(server: Server): void {
  if (SEED === 0) return;
  const emit = server.emit.bind(server);
  server.emit = (name: string, ...args: unknown[]) => {
    if (name !== 'request') return emit(name, ...args);
    setTimeout(() => emit(name, ...args), random.below(LATE_MAX_MS));
    return true;
  };
}
