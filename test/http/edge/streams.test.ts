import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { Streams } from '../../../src/http/edge/door.ts';
import { refused } from '../../support/service/service-fixture.ts';

const request = { apiKey: { name: 'a' } } as FastifyRequest;

function createReply() {
  const raw = Object.assign(new EventEmitter(), { closed: false, writableEnded: false });
  const close = () => {
    raw.closed = true;
    raw.emit('close');
  };
  return { reply: { raw } as unknown as FastifyReply, close };
}

describe('an NDJSON request that waits', () => {
  it('is refused after a while, and has no room then', async () => {
    const streams = new Streams(2, 20);
    const first = createReply();
    await streams.enter(request, first.reply);
    await expect(streams.enter(request, createReply().reply)).rejects.toMatchObject({
      ...refused('overloaded', { limit: { name: 'bulkRequestsMax', value: 2 } }),
      retryAfterS: 5,
    });
    first.close();
    await streams.enter(request, createReply().reply);
  });

  it('is let in where its client has gone before, or goes meanwhile, by no means', async () => {
    const streams = new Streams(2, 20_000);
    const early = createReply();
    early.close();
    await expect(streams.enter(request, early.reply)).rejects.toMatchObject(refused('deadline-exceeded'));
    const first = createReply();
    await streams.enter(request, first.reply);
    const second = createReply();
    const entering = streams.enter(request, second.reply);
    second.close();
    await expect(entering).rejects.toMatchObject(refused('deadline-exceeded'));
    const third = createReply();
    const admitted = streams.enter(request, third.reply);
    first.close();
    await admitted;
  });
});
