import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { Unread } from '../../../src/http/edge/unread.ts';

let app: FastifyInstance;
afterEach(() => app.close());

const loopOf = (next: () => Promise<void>, spent = () => false) => ({
  next,
  turnsOf: () => ({ spent, next }),
});

it('a long list is written in turns, and is what would be written at once', async () => {
  let turns = 0;
  app = fastify();
  app.decorateRequest('apiKey', null as never);
  app.setSerializerCompiler(() => JSON.stringify);
  const next = async () => void turns++;
  new Unread(40_000_000).addTo(
    app,
    loopOf(next, () => true),
  );
  const documents = (count: number) => ({
    documents: Array.from({ length: count }, (_, i) => ({ url: 'é'.repeat(i) })),
  });
  app.get<{ Querystring: { count: number } }>('/', (request) => documents(Number(request.query.count)));
  for (const [count, turnsLeast] of [
    [10, 0],
    [1000, 10],
  ] as const) {
    turns = 0;
    const answer = await app.inject(`/?count=${count}`);
    expect(answer.payload).toBe(JSON.stringify(documents(count)));
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(turns).toBeGreaterThanOrEqual(turnsLeast);
  }
});

it('a long list of many bytes is counted, too, until it is read', async () => {
  const unread = new Unread(4_000_000);
  app = fastify();
  app.decorateRequest('apiKey', null as never);
  unread.addTo(
    app,
    loopOf(async () => {}),
  );
  const held: number[] = [];
  app.addHook('onSend', (_request, _reply, payload, done) => {
    held.push(unread.bytes);
    done(null, payload);
  });
  const list = Array.from({ length: 1000 }, (_, i) => `${'é'.repeat(200)}${i}`);
  app.get('/', { config: { scope: 'read' } }, () => ({ list }));
  const answer = await app.inject('/');
  expect(answer.json()).toEqual({ list });
  expect(held).toEqual([answer.rawPayload.length]);
  await expect.poll(() => unread.bytes).toBe(0);
});

it('a large answer becomes bytes in a turn of its own, letter for letter, and is counted until it is read', async () => {
  const turns: number[] = [];
  const unread = new Unread(4_000_000);
  app = fastify();
  app.decorateRequest('apiKey', null as never);
  unread.addTo(
    app,
    loopOf(async () => void turns.push(unread.bytes)),
  );
  const word = 'é漢字 😀 ';
  const held: number[] = [];
  app.addHook('onSend', (_request, _reply, payload, done) => {
    held.push(unread.bytes);
    done(null, payload);
  });
  app.get<{ Querystring: { times: number } }>('/', (request) => ({ text: word.repeat(request.query.times) }));
  for (const [times, turnsAfter] of [
    [1, 0],
    [3000, 0],
    [100_000, 1],
  ] as const) {
    const answer = await app.inject(`/?times=${times}`);
    expect(answer.json<{ text: string }>().text === word.repeat(times)).toBe(true);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length);
    expect(turns.length).toBe(turnsAfter);
    // what every connection takes is not counted
    expect(held.at(-1)).toBe(times === 1 ? 0 : answer.rawPayload.length);
    await expect.poll(() => unread.bytes).toBe(0);
  }
  const refused = await app.inject('/?times=400000');
  expect(refused.statusCode).toBe(503);
});

it('a large answer becomes bytes in several turns, cut between no halves of a character', async () => {
  let turns = 0;
  app = fastify();
  app.decorateRequest('apiKey', null as never);
  new Unread(40_000_000).addTo(
    app,
    loopOf(
      async () => void turns++,
      () => true,
    ),
  );
  app.get<{ Querystring: { before: number } }>('/', ({ query: { before } }) => ({
    text: `${'x'.repeat(before)}${'😀'.repeat(200_000)}`,
  }));
  for (const before of [0, 1]) {
    turns = 0;
    const { text } = (await app.inject(`/?before=${before}`)).json<{ text: string }>();
    expect(text === `${'x'.repeat(before)}${'😀'.repeat(200_000)}`).toBe(true);
    expect(turns).toBeGreaterThanOrEqual(4);
  }
});
