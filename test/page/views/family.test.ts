import { expect, it } from 'vitest';
import { firstSource, standingOf } from '../../../src/page/views/family/standing-of.ts';

const member = (...seen: readonly (readonly [url: string, firstSeen: string])[]) => ({
  ...{ contentId: seen.join(), tokens: 9, shingles: 3, content: null, joinedBy: null, sourceCount: seen.length },
  sources: seen.map(([url, firstSeen]) => ({
    url,
    firstSeen,
    lastSeen: '2026-01-01T00:00:00.000Z',
    state: 'live' as const,
  })),
});

it('a text stands where and when it was first seen, and beside the earliest where no URL is listed', () => {
  const copied = member(
    ['https://a.example/', '2024-03-01T00:00:00.000Z'],
    ['https://b.example/', '2023-12-31T23:00:00.000Z'],
  );
  const named = member(['urn:isbn:1', '2025-01-01T00:00:00.000Z']);
  expect(firstSource(copied)!.url).toBe('https://b.example/');
  expect(firstSource(member())).toBe(undefined);
  expect(standingOf([copied, named, member()])).toEqual([
    { host: 'b.example', timeMs: Date.parse('2023-12-31T23:00:00.000Z') },
    { host: 'urn:isbn:1', timeMs: Date.parse('2025-01-01T00:00:00.000Z') },
    { host: 'no URL is listed', timeMs: Date.parse('2023-12-31T23:00:00.000Z') },
  ]);
  expect(standingOf([member()])).toEqual([{ host: 'no URL is listed', timeMs: 0 }]);
});
