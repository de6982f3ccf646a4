import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimilarAnswer } from '../../../src/service/api.ts';
import { DEFAULT_CLUSTER_OPTIONS } from '../../../src/service/limits.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  OPTIONS,
  ofText,
  type ServiceFixture,
  said,
} from '../../support/service/service-fixture.ts';

/* Answers of many long URLs and notes: a page of one ends where it has too many bytes, and the next goes on. */

const BYTES_MAX = 40_000;
const make = createTextMaker(70);
const text = make.text(60);
const textOf = (i: number) => `${text} w${i}`;
const urlOf = (i: number, copy: number) => `https://h${copy}.example/${i}/${'a'.repeat(900)}`;
const CONTENTS = 12;
const COPIES = 8;

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = createServiceFixture({ limits: { answerBytesMax: BYTES_MAX } });
  for (let i = 0; i < CONTENTS; i++) {
    for (let copy = 0; copy < COPIES; copy++) {
      await fixture.put(urlOf(i, copy), textOf(i), { meta: { note: 'n'.repeat(1000) } });
    }
  }
});
afterAll(() => fixture.close());

describe('the bytes of an answer', () => {
  it.each([false, true])(
    'are bounded of matches, all of which are told page by page (thorough: %s)',
    async (thorough) => {
      const options = { ...OPTIONS, limit: 100, sourcesPerMatch: COPIES, thorough };
      const urls: string[] = [];
      let pages = 0;
      for (let cursor: string | null = null; ; pages++) {
        const { json } = await fixture.service.similar(ofText(textOf(0)), { ...options, cursor }, ALL);
        const answer = JSON.parse(json.toString()) as SimilarAnswer;
        // the hosts of a thorough answer come with the last page
        expect(JSON.stringify(answer.matches).length).toBeLessThan(BYTES_MAX);
        expect(answer.matches.length).toBeGreaterThan(0);
        urls.push(...answer.matches.flatMap(({ sources }) => sources.map(({ url }) => url)));
        cursor = answer.cursor;
        if (cursor === null) break;
      }
      expect(pages).toBeGreaterThan(1);
      expect(new Set(urls).size).toBe(CONTENTS * COPIES);
      expect(urls).toHaveLength(CONTENTS * COPIES);
    },
  );

  it('hold one match, whatever it takes', async () => {
    const small = createServiceFixture({ limits: { answerBytesMax: 100 } });
    for (const url of ['https://a.example/', 'https://b.example/']) await small.put(url, text);
    await small.put('https://c.example/', textOf(1));
    const answer = await said(small.service.similar(ofText(text), OPTIONS, ALL));
    expect([answer.matches.length, answer.cursor === null]).toEqual([1, false]);
    await small.close();
  });

  it('are bounded of passages, and those without room are counted', async () => {
    const small = createServiceFixture({ limits: { answerBytesMax: 8000 } });
    const long = make.text(1500);
    for (let i = 0; i < 8; i++) await small.put(`urn:${i}`, `${long} w${i}`);
    const answer = await said(small.service.similar(ofText(long), { ...OPTIONS, passages: true }, ALL));
    const without = answer.matches.filter(({ passages }) => passages === undefined);
    expect(without.length).toBeGreaterThan(0);
    expect(answer.limits).toContainEqual({ code: 'passages', affected: without.length, of: answer.matches.length });
    await small.close();
  });

  it('are bounded of lists, all of which are told page by page', async () => {
    const urls: string[] = [];
    let pages = 0;
    for (let cursor: string | null = null; ; pages++) {
      const page = await fixture.service.list({}, { limit: 1000, cursor }, ALL);
      expect(JSON.stringify(page).length).toBeLessThan(1.2 * BYTES_MAX);
      urls.push(...page.documents.map(({ url }) => url));
      cursor = page.cursor;
      if (cursor === null) break;
    }
    expect(pages).toBeGreaterThan(1);
    expect([urls.length, new Set(urls).size]).toEqual([CONTENTS * COPIES, CONTENTS * COPIES]);
  });

  it('are bounded of clusters, each member of which has a source', async () => {
    const asked = { ...DEFAULT_CLUSTER_OPTIONS, url: urlOf(0, 0), sourcesPerMember: 1000, deadlineMs: 20_000 };
    const { index } = await fixture.service.clusters(asked, ALL);
    expect(JSON.stringify(index).length).toBeLessThan(1.7 * BYTES_MAX);
    expect(index!.members).toHaveLength(CONTENTS);
    for (const { sources, sourceCount } of index!.members) {
      expect(sources.length).toBeGreaterThan(0);
      expect(sourceCount).toBe(COPIES);
    }
  });
});
