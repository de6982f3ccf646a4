import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey, Scope } from '../../src/http/http-options.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import { type HttpFixture, JSON_TYPE, NDJSON, TEXT } from '../support/http/http-fixture.ts';
import { createHttpOnDisk } from '../support/http/http-on-disk.ts';

/*
 * Every set of scopes against every way of calling. What a key may do is the table CALLS. What it learns is held to this:
 * two services differ in a document (and in a backup) that the caller knows nothing of; to a key that may not see it both
 * give the same answers.
 */

const SCOPES: readonly Scope[] = ['read', 'fetch', 'write', 'admin'];
const SETS = Array.from({ length: 2 ** SCOPES.length }, (_, bits) => SCOPES.filter((_scope, at) => bits & (1 << at)));
const nameOf = (scopes: readonly Scope[]) => scopes.join('+');
const KEYS: readonly ApiKey[] = SETS.filter((scopes) => scopes.length > 0).map((scopes) => ({
  ...{ name: scopes.join('.'), scopes, secret: `secret-of-${nameOf(scopes)}-0123456789` },
}));

const SECRET_TEXT = createTextMaker(7).text(200);
const SECRET_URL = 'https://secret.example/minutes';
/** Said by the secret document too; one that is near it; one that has nothing to do with it. */
const TEXTS = [SECRET_TEXT, `${SECRET_TEXT} and some more`, createTextMaker(8).text(50)];
const WEB = 'https://web.example/';
const LOCAL = 'https://local.example/';

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly payload?: string;
  readonly headers?: Record<string, string>;
  readonly needs: readonly Scope[];
}

const of = (url: string) => `?url=${url}`;
const json = (value: unknown) => ({ payload: JSON.stringify(value), headers: JSON_TYPE });
const lines = (...values: unknown[]) => ({
  payload: values.map((value) => JSON.stringify(value)).join('\n'),
  headers: NDJSON,
});

const UNLESS = { unless: 'similar', thresholds: { resemblance: 0.9 } };
const CALLS: readonly Call[] = [
  ...TEXTS.flatMap((text, at): Call[] => [
    { method: 'PUT', url: `/documents?url=${LOCAL}${at}`, payload: text, headers: TEXT, needs: ['write'] },
    { method: 'PUT', url: `/documents?url=${LOCAL}${at}&similar=0`, payload: text, headers: TEXT, needs: ['write'] },
    {
      method: 'PUT',
      url: `/documents?url=${LOCAL}${at}&similar=5`,
      payload: text,
      headers: TEXT,
      needs: ['write', 'read'],
    },
    { method: 'PUT', url: `/documents?url=${LOCAL}${at}`, ...json({ text, similar: 5 }), needs: ['write', 'read'] },
    {
      method: 'PUT',
      url: `/documents?url=${LOCAL}${at}&observedAt=2001-01-01T00:00:00Z`,
      payload: text,
      headers: TEXT,
      needs: ['write'],
    },
    { method: 'PUT', url: `/documents?url=${LOCAL}${at}`, ...json({ text, ...UNLESS }), needs: ['write', 'read'] },
    { method: 'PUT', url: `/documents?url=${LOCAL}${at}&status=410`, needs: ['write'] },
    {
      method: 'POST',
      url: '/documents',
      ...lines(
        { op: 'put', url: `${LOCAL}bulk`, text },
        { op: 'put', url: 'no', text },
        { op: 'put', url: `${LOCAL}bulk-similar`, text, similar: 5 },
        { op: 'put', url: `${LOCAL}bulk-unless`, text, ...UNLESS },
        { op: 'gone', url: `${LOCAL}bulk` },
        { op: 'delete', url: `${LOCAL}bulk` },
        { op: 'delete', url: `${LOCAL}no` },
      ),
      needs: ['write'],
    },
    { method: 'POST', url: '/similar', payload: text, headers: TEXT, needs: ['read'] },
    {
      method: 'POST',
      url: '/similar',
      ...lines({ document: { text } }, { document: { url: `${LOCAL}${at}` } }),
      needs: ['read'],
    },
    { method: 'POST', url: '/compare', ...json({ a: { text }, b: { url: `${LOCAL}${at}` } }), needs: ['read'] },
    { method: 'POST', url: '/collapse', ...json({ results: [{ text }, { url: `${LOCAL}${at}` }] }), needs: ['read'] },
    { method: 'GET', url: `/similar${of(`${LOCAL}${at}`)}`, needs: ['read'] },
    { method: 'GET', url: `/moved${of(`${LOCAL}${at}`)}`, needs: ['read'] },
    { method: 'POST', url: '/moved', ...json({ urls: [`${LOCAL}${at}`, SECRET_URL] }), needs: ['read'] },
    { method: 'POST', url: '/moved', ...lines({ url: `${LOCAL}${at}` }, { url: SECRET_URL }), needs: ['read'] },
    { method: 'GET', url: `/documents${of(`${LOCAL}${at}`)}`, needs: ['read'] },
    { method: 'GET', url: `/documents/versions${of(`${LOCAL}${at}`)}`, needs: ['read'] },
    { method: 'DELETE', url: `/documents${of(`${LOCAL}${at}`)}`, needs: ['write'] },
    { method: 'DELETE', url: `/documents${of(`${LOCAL}${at}`)}`, needs: ['write'] },
  ]),
  { method: 'PUT', url: `/documents${of(WEB)}&fetch=true`, needs: ['write', 'fetch'] },
  { method: 'PUT', url: `/documents${of(WEB)}`, ...json({ fetch: true }), needs: ['write', 'fetch'] },
  { method: 'PUT', url: `/documents${of(WEB)}&fetch=true&similar=3`, needs: ['write', 'fetch', 'read'] },
  { method: 'GET', url: `/similar${of(WEB)}&fetch=always`, needs: ['read', 'fetch'] },
  { method: 'POST', url: '/collapse', ...json({ results: [{ url: WEB }], fetch: 'auto' }), needs: ['read', 'fetch'] },
  ...['', '?host=secret.example', '?prefix=https://secret.example/', '?meta={"note":"secret-note"}'].flatMap(
    (query): Call[] => [
      { method: 'GET', url: `/documents/list${query}`, needs: ['read'] },
      { method: 'GET', url: `/documents/hosts${query}`, needs: ['read'] },
      { method: 'GET', url: `/documents/export${query}`, needs: ['read'] },
      {
        method: 'DELETE',
        url: `/documents/list${query === '' ? '?' : `${query}&`}dryRun=true`,
        needs: ['write', 'read'],
      },
    ],
  ),
  { method: 'GET', url: '/stats', needs: ['read'] },
  { method: 'GET', url: '/metrics', needs: ['admin'] },
  { method: 'GET', url: '/admin/backups', needs: ['admin'] },
  { method: 'POST', url: '/admin/compact', needs: ['admin'] },
  { method: 'POST', url: '/admin/backup', ...json({ name: '.' }), needs: ['admin'] },
];

/** What differs between two runs of the same: times, sizes, and ids of requests. */
const VOLATILE = /"(elapsedMs|uptimeS|diskBytes\w*|freeBytes|requestId|createdAt)":("[^"]*"|[\d.]+|null)/g;

interface World {
  readonly fixture: HttpFixture;
  ask(call: Call, scopes: readonly Scope[]): Promise<{ status: number; body: string }>;
}

const folder = mkdtempSync(join(tmpdir(), 'shingled-scopes-'));

async function createWorld(name: string): Promise<World> {
  const fixture = await createHttpOnDisk(join(folder, name), { http: { apiKeys: KEYS } });
  fixture.parts.web.pages.set(WEB, TEXTS[2]!);
  let asked = 0;
  return {
    fixture,
    async ask({ needs: _needs, headers = {}, ...request }, scopes) {
      const secret = KEYS.find((key) => key.scopes === scopes)?.secret;
      const authorization = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
      // each from another address: who asks without a key again and again is made to wait
      const remoteAddress = `10.0.${++asked >> 8}.${asked & 255}`;
      const answer = await fixture.app.inject({ ...request, remoteAddress, headers: { ...headers, ...authorization } });
      return { status: answer.statusCode, body: answer.body.replaceAll(VOLATILE, '"$1":0') };
    },
  };
}

describe('every set of scopes', () => {
  let empty: World;
  let full: World;
  beforeAll(async () => {
    [empty, full] = await Promise.all([createWorld('empty'), createWorld('full')]);
    await full.fixture.parts.put(SECRET_URL, SECRET_TEXT, {
      meta: { note: 'secret-note' },
      observedAt: Date.parse('2011-11-11'),
    });
    await full.fixture.parts.service.backup('secret-backup');
    await full.fixture.parts.service.backup('secret-backup').catch(() => undefined);
  });
  afterAll(async () => {
    await Promise.all([empty.fixture.close(), full.fixture.close()]);
    rmSync(folder, { recursive: true });
  });

  it.each(SETS.map((scopes) => [nameOf(scopes) || 'none', scopes] as const))(
    '(%s) may do what it says, and learns nothing that it does not say',
    async (_name, scopes) => {
      for (const call of CALLS) {
        const what = `${call.method} ${call.url} ${call.payload?.slice(0, 60)}`;
        const [inEmpty, inFull] = [await empty.ask(call, scopes), await full.ask(call, scopes)];
        const refusal = scopes.length === 0 ? 401 : 403;
        if (!call.needs.every((scope) => scopes.includes(scope))) {
          expect([what, inEmpty.status, inFull.status]).toEqual([what, refusal, refusal]);
        } else {
          expect([what, inFull.status]).not.toEqual([what, refusal]);
        }
        // figures of the machine are what an admin sees
        if (!scopes.includes('read') && !call.needs.includes('admin')) expect([what, inFull]).toEqual([what, inEmpty]);
        if (!scopes.includes('read')) expect(inFull.body).not.toMatch(/secret\.example|secret-note|2011-11-11/);
        if (!scopes.includes('admin')) expect(inFull.body).not.toContain('secret-backup');
      }
    },
  );

  it('shows what another lacks: the secrets are there to be seen', async () => {
    await full.fixture.parts.service.backup('secret-backup-again');
    const asked = async (scopes: readonly Scope[], part: string) => {
      const set = SETS.find((one) => nameOf(one) === nameOf(scopes))!;
      return (await Promise.all(CALLS.filter(({ url }) => url.includes(part)).map((call) => full.ask(call, set))))
        .map(({ body }) => body)
        .join('');
    };
    expect(await asked(['read'], '/similar')).toMatch(/secret\.example/);
    for (const call of ['list', 'hosts', 'export']) {
      expect(await asked(['read'], `/documents/${call}`)).toMatch(/secret\.example/);
    }
    expect(await asked(['read', 'write'], 'dryRun')).toContain('"matched":1');
    expect(await asked(['read', 'write'], 'similar=5')).toMatch(/secret\.example/);
    // the secret text with UNLESS, in a put and in a line
    expect((await asked(['read', 'write'], '/documents')).match(/"skipped"/g)?.length).toBeGreaterThan(1);
    expect(await asked(['read', 'write'], '/documents?url')).toContain('"newContent":false');
    expect(await asked(['read', 'admin'], '/stats')).toContain('secret-backup');
    expect(await asked(['read'], '/stats')).toContain('"upkeep":null');
  });
});
