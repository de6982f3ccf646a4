import { expect } from 'vitest';
import type { MatchOptions, SimilarAnswer } from '../../../src/service/api.ts';
import { ofText, type ServiceFixture } from './service-fixture.ts';

/** All pages of a thorough query. */
export async function pagesOf(
  fixture: ServiceFixture,
  text: string,
  more: Partial<MatchOptions>,
): Promise<SimilarAnswer[]> {
  const pages: SimilarAnswer[] = [];
  do {
    const cursor = pages.at(-1)?.cursor ?? null;
    pages.push(await fixture.similar(ofText(text), { thorough: true, ...more, cursor }));
    expect(pages.length).toBeLessThan(500);
  } while (pages.at(-1)!.cursor !== null);
  return pages;
}

export const matchesOf = (pages: readonly SimilarAnswer[]) => pages.flatMap(({ matches }) => matches);
export const urlsOf = (pages: readonly SimilarAnswer[]) =>
  matchesOf(pages).flatMap(({ sources }) => sources.map(({ url }) => url));
