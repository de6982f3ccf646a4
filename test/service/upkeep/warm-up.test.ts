import { describe, expect, it } from 'vitest';
import type { DocumentReference } from '../../../src/service/api.ts';
import { createWarmUp, type WarmUpParts } from '../../../src/service/upkeep/warm-up.ts';

const URLS = ['https://a.example/', 'https://b.example/'];

interface Made {
  readonly sourceUrls?: () => Promise<{ urls: readonly string[] }>;
  readonly warm?: () => Promise<void>;
  readonly similar?: () => Promise<void>;
}

function made({ sourceUrls = async () => ({ urls: URLS }), warm, similar }: Made = {}) {
  const events: string[] = [];
  const asked: DocumentReference[] = [];
  const store = {
    warm: async () => {
      events.push('images');
      await warm?.();
    },
    sourceUrls,
  };
  const warmUp = createWarmUp({
    store: store as unknown as WarmUpParts['store'],
    similar: async (reference) => {
      events.push('question');
      asked.push(reference);
      await similar?.();
    },
  });
  return { warmUp, events, asked };
}

const textOf = ({ body }: DocumentReference) => Buffer.from(body!.bytes).toString();

describe('a warm-up', () => {
  it('has the images made, then asks for documents of the index and for texts, each of its own', async () => {
    const { warmUp, events, asked } = made();
    await warmUp.run();
    expect(events.indexOf('images')).toBe(0);
    expect(asked.length).toBeGreaterThan(500);
    expect(new Set(asked.map(({ url }) => url))).toEqual(new Set([...URLS, null]));
    expect(asked.every(({ url, body }) => (url === null) === (body !== null))).toBe(true);
    const texts = asked.filter(({ body }) => body !== null).map(textOf);
    expect(texts.length).toBeGreaterThan(200);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each([
    ['has no documents', async () => ({ urls: [] })],
    ['cannot tell them', () => Promise.reject(new Error('unreadable'))],
  ])('asks for texts alone where the index %s', async (_, sourceUrls) => {
    const { warmUp, asked } = made({ sourceUrls });
    await warmUp.run();
    expect(asked.length).toBeGreaterThan(500);
    expect(asked.filter(({ body }) => body === null)).toEqual([]);
  });

  it('goes on after a question that fails', async () => {
    const { warmUp, asked } = made({ similar: () => Promise.reject(new Error('unknown-url')) });
    await warmUp.run();
    expect(asked.length).toBeGreaterThan(500);
  });

  it('ends when it is stopped while images are made', async () => {
    const { warmUp, asked } = made({ warm: () => new Promise(() => undefined) });
    const ended = warmUp.run();
    await warmUp.stop();
    await ended;
    expect(asked).toEqual([]);
  });

  it('ends when it is stopped while it asks, after what is under way', async () => {
    const answers: (() => void)[] = [];
    const { warmUp, asked } = made({ similar: () => new Promise((resolve) => void answers.push(resolve)) });
    const ended = warmUp.run();
    while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const stopped = warmUp.stop();
    for (const answer of answers) answer();
    await Promise.all([ended, stopped]);
    expect(asked.length).toBeLessThan(10);
  });
});
