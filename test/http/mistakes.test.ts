import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture, linesOf } from '../support/http/http-fixture.ts';
import { MISTAKES, type Mistake } from '../support/http/mistakes.ts';

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture();
  const known = { method: 'PUT', url: '/documents?url=https://known.example/', payload: 'a b c d e f g' } as const;
  await fixture.app.inject({ ...known, headers: { 'content-type': 'text/plain' } });
});
afterAll(() => fixture.close());

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

async function answerTo({ method, path, type, body }: Mistake): Promise<string[]> {
  const headers = type === undefined ? {} : { 'content-type': type };
  const payload = body === undefined ? {} : { payload: body };
  const answer = await fixture.app.inject({ method, url: path, headers, ...payload });
  const isLines = String(answer.headers['content-type']).includes('ndjson');
  if (!isLines && answer.statusCode < 400) return [`${answer.statusCode} ${answer.headers['location'] ?? ''}`.trim()];
  const refusals = (isLines ? linesOf(answer.body) : [answer.json()]) as Refusal[];
  if (isLines && refusals.every(({ code }) => code === undefined)) return ['200, with no line but the summary'];
  const refused = refusals.filter(({ code }) => code !== undefined);
  return refused.map(({ status, code, detail }) => `${status} ${code}: ${shortened(detail)}`);
}

/** Lists of names without what comes behind the first three: they grow. */
const shortened = (detail: string) => detail.replaceAll(/((?:with|are)(?: \w+,){3})[\w, ]*/g, '$1 …');

const SHOWN_MAX = 100;
const shown = ({ method, path, type, body }: Mistake) => {
  const sent = type === undefined ? '' : ` (${type}) ${JSON.stringify(body)}`;
  const whole = `${method} ${path}${sent}`;
  return whole.length > SHOWN_MAX ? `${whole.slice(0, SHOWN_MAX)}…` : whole;
};

describe('a mistake', () => {
  it('is answered with what came, what is allowed, and the way out: read all of them', async () => {
    const table: string[] = [];
    expect(MISTAKES.length).toBeGreaterThanOrEqual(60);
    for (const mistake of MISTAKES) table.push([shown(mistake), ...(await answerTo(mistake))].join('\n    '));
    await expect(`${table.join('\n')}\n`).toMatchFileSnapshot('../recorded/mistakes.txt');
  });
});
