import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from '../support/http/browser.ts';
import { createHttpFixture, type HttpFixture } from '../support/http/http-fixture.ts';
import { listening } from '../support/http/raw-client.ts';
import { readText } from '../support/tree/tree.ts';

/*
 * Pages of other sites in a real browser of this machine, against a service without keys. What the service answered is
 * looked at where it leaves: a page that cannot read an answer may have done its harm all the same.
 */

const KNOWN = 'https://known.example/';
/** Its function `attack` sends all that a page can send. */
const ATTACK_PAGE = readText('test/browser/attack.html');
/** Browsers that do not keep pages of the Internet from this machine by themselves, as most do not. */
const WITHOUT_HELP = '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests';

interface Evaluates {
  evaluate(script: string): Promise<unknown>;
}

const attackFrom = (page: Evaluates, target: string) => page.evaluate(`attack(${JSON.stringify(target)})`);

/** The requests that are answered from now on, as `method path status`. */
function answersOf({ app }: HttpFixture): string[] {
  const answers: string[] = [];
  app.server.on('request', (request, response) => {
    response.on('finish', () => answers.push(`${request.method} ${request.url} ${response.statusCode}`));
  });
  return answers;
}

describe.skipIf(noBrowser)('a page of another site in a browser', () => {
  let fixture: HttpFixture;
  let port: number;
  let attacker: Server;
  let attackerPort: number;
  let browser: Browser;
  let page: Page;
  let answers: string[];

  beforeAll(async () => {
    attacker = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(ATTACK_PAGE));
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
    attackerPort = (attacker.address() as AddressInfo).port;
    const corsOrigins = [`http://app.example:${attackerPort}`];
    fixture = await createHttpFixture({ http: { allowedHosts: [], corsOrigins } });
    port = await listening(fixture.app);
    answers = answersOf(fixture);
    browser = await launchBrowser(['--host-resolver-rules=MAP *.example 127.0.0.1', WITHOUT_HELP]);
    await fixture.parts.put(KNOWN, 'alpha beta gamma delta epsilon zeta eta theta iota kappa');
  });
  beforeEach(async () => {
    page = await browser.newPage();
    answers.length = 0;
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await browser.close();
    attacker.close();
    await fixture.close();
  });

  /** What the page sent was answered with nothing but refusals, told it nothing, and changed nothing. */
  async function expectHarmless(read: unknown, refusal: number) {
    expect(read).toEqual([]);
    expect(answers.length).toBeGreaterThan(40);
    expect(answers.filter((answer) => !answer.endsWith(` ${refusal}`))).toEqual([]);
    expect(await fixture.parts.service.stats()).toMatchObject({ sources: 1, contents: 1, upkeep: null });
  }

  it.each([
    ['another port of localhost', 'localhost', 'localhost'],
    ['another host', 'attacker.example', '127.0.0.1'],
  ])('of %s gets nothing done and reads nothing', async (_what, origin, target) => {
    await page.goto(`http://${origin}:${attackerPort}/`);
    await expectHarmless(await attackFrom(page, `http://${target}:${port}`), 403);
  });

  it('whose name was made to mean this machine gets nothing done and reads nothing', async () => {
    const rebound = `http://attacker.example:${port}`;
    // the page came from the attacker; by now its name resolves to the service
    await page.route(`${rebound}/`, (route) => route.fulfill({ contentType: 'text/html', body: ATTACK_PAGE }));
    await page.goto(`${rebound}/`);
    await expectHarmless(await attackFrom(page, rebound), 421);
  });

  it('without an origin of its own gets nothing done and reads nothing', async () => {
    await page.goto(`http://attacker.example:${attackerPort}/`);
    const sandbox = `<iframe sandbox="allow-scripts allow-forms" src="/inner"></iframe>`;
    await page.evaluate(`document.body.innerHTML = ${JSON.stringify(sandbox)}`);
    await expect
      .poll(() => page.frames().find((frame) => frame.url().endsWith('/inner')), { timeout: 60_000 })
      .toBeDefined();
    const inner = page.frames().find((frame) => frame.url().endsWith('/inner'))!;
    await inner.waitForLoadState();
    await expectHarmless(await attackFrom(inner, `http://127.0.0.1:${port}`), 403);
  });

  it('may call where CORS_ORIGINS names its origin', async () => {
    await page.goto(`http://app.example:${attackerPort}/`);
    const statuses = await page.evaluate(async (url) => {
      const put = await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'one two' });
      return [put.status, (await fetch(url)).status, (await fetch(url, { method: 'DELETE' })).status];
    }, `http://127.0.0.1:${port}/documents?url=https://named.example/`);
    expect(statuses).toEqual([201, 200, 200]);
  });

  it('may link to the documentation', async () => {
    await page.goto(`http://attacker.example:${attackerPort}/`);
    const link = `<a href="http://127.0.0.1:${port}/docs">how it is called</a>`;
    await page.evaluate(`document.body.innerHTML = ${JSON.stringify(link)}`);
    const opened = page.waitForResponse((response) => response.request().isNavigationRequest());
    await page.locator('a').click();
    expect((await opened).status()).toBe(200);
  });
});
