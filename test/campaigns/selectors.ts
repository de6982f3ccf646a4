import { parseArgs } from 'node:util';
import { type ServiceProcess, startService } from '../../bench/support/service-process.ts';
import { ERRORS } from '../../src/errors.ts';
import { type SelectorCase, SelectorCases, selectorPages } from '../support/pages/selector-cases.ts';
import { createPrng } from '../support/prng.ts';

/*
 * node test/campaigns/selectors.ts --cases 100000 --seed 1
 *
 * Selectors by their grammar × pages that they hurt, sent to the real service, as single requests of several keys and as
 * lines of bulk requests. The service must not end, nor be without an answer; every refusal is one of the codes below; what
 * is CSS is never refused as none, and what is not always is. Exit code 1 at the first breach.
 */

const KEYS = ['a', 'b', 'c'].map((name) => ({ name, secret: name.repeat(16) }));
const CONNECTIONS_A_KEY = 4;
const LINES = 40;
/** What a selector may lead to. A page that takes too long is `document-too-complex`, as is one that is too large. */
const CODES = new Set(['invalid-selector', 'invalid-request', 'document-too-complex', 'empty-document', 'overloaded']);
const REFUSALS_OF_CSS = new Set(['invalid-selector', 'invalid-request']);

class Breach extends Error {}

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const casesMax = Number(values.cases);
const prng = createPrng(Number(values.seed));
const generator = new SelectorCases(prng);
const pages = selectorPages();
const counts = new Map<string, number>();
let begun = 0;
let slowestMs = 0;

const service = await startService({
  API_KEYS: KEYS.map(({ name, secret }) => `${name}:read+write:${secret}`).join(','),
  RATE_LIMIT_PER_MINUTE: '0',
  WORKERS_TIMEOUT_MS: '150',
});
const startedMs = performance.now();
try {
  const clients = KEYS.flatMap(({ secret }) => Array.from({ length: CONNECTIONS_A_KEY }, () => secret));
  await Promise.all(clients.map((secret, at) => run(service, secret, at % CONNECTIONS_A_KEY === 0)));
  const { statusCode } = await service.client.request({ method: 'GET', path: '/health/ready' });
  if (statusCode !== 200) throw new Breach(`not ready afterwards: ${statusCode}`);
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof Breach ? error.message : error);
} finally {
  for (const [what, count] of [...counts].sort()) console.log(`${String(count).padStart(8)}  ${what}`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  console.log(`${begun} cases, seed ${values.seed}: slowest ${slowestMs.toFixed(0)} ms, ${seconds} s`);
  await service.stop();
}

async function run(service: ServiceProcess, secret: string, inBulk: boolean): Promise<void> {
  while (begun < casesMax && process.exitCode !== 1) {
    if (inBulk) await bulk(service, secret);
    else await single(service, secret);
  }
}

interface Drawn extends SelectorCase {
  readonly field: 'select' | 'remove';
  readonly page: string;
  readonly html: string;
}

function draw(): Drawn {
  begun++;
  const { name, html } = pages[prng.below(pages.length)]!;
  return { ...generator.next(), field: prng.below(4) === 0 ? 'remove' : 'select', page: name, html };
}

async function single(service: ServiceProcess, secret: string): Promise<void> {
  const drawn = draw();
  const put = prng.below(3) === 0;
  const query = new URLSearchParams({ [drawn.field]: drawn.selector });
  if (put) query.set('url', `urn:${begun}`);
  else query.set('deadlineMs', '60000');
  const started = performance.now();
  const { statusCode, body } = await service.client.request({
    method: put ? 'PUT' : 'POST',
    path: `/${put ? 'documents' : 'similar'}?${query}`,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'text/html; charset=utf-8' },
    body: drawn.html,
  });
  const answer = (await body.json()) as { code?: string; detail?: string; limit?: { name: string } };
  slowestMs = Math.max(slowestMs, performance.now() - started);
  judge(drawn, statusCode, answer);
}

async function bulk(service: ServiceProcess, secret: string): Promise<void> {
  const drawn = Array.from({ length: LINES }, draw);
  const lines = drawn.map(({ field, selector, html }, at) =>
    JSON.stringify({ op: 'put', url: `urn:${begun}:${at}`, html, [field]: selector }),
  );
  const { body } = await service.client.request({
    method: 'POST',
    path: '/documents',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  const answers = (await body.text()).trim().split('\n');
  if (answers.length !== LINES + 1) throw new Breach(`${answers.length} lines for ${LINES}`);
  for (const [at, one] of drawn.entries()) {
    const answer = JSON.parse(answers[at]!) as { status: number; code?: string };
    judge(one, answer.status, answer);
  }
}

function judge(
  drawn: Drawn,
  status: number,
  answer: { code?: string; detail?: string; limit?: { name: string } },
): void {
  const { code } = answer;
  const breach = (why: string) => {
    const { html: _, ...shown } = drawn;
    throw new Breach(`${why}: ${status} ${JSON.stringify(answer)} for ${JSON.stringify(shown)}`);
  };
  const ok = status === 200 || status === 201;
  if (!ok && (code === undefined || !CODES.has(code))) breach('no typed refusal');
  if (!ok && ERRORS[code as keyof typeof ERRORS].status !== status) breach('a status that is not of its code');
  const isRefused = code !== undefined && REFUSALS_OF_CSS.has(code);
  if (drawn.kind === 'css' && isRefused) breach('CSS that is refused');
  if (drawn.kind === 'foreign' && !isRefused) breach('no CSS, and not refused');
  const what = ok ? 'read' : `${code}${answer.limit === undefined ? '' : ` by ${answer.limit.name}`}`;
  const key = `${drawn.kind}: ${what}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
