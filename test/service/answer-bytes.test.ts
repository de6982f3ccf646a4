import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_COMPOSITION_OPTIONS } from '../../src/service/composition/composition-options.ts';
import { DEFAULT_CLUSTER_OPTIONS } from '../../src/service/limits.ts';
import { DEFAULT_MOVED_OPTIONS } from '../../src/service/moved/moved-options.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import { ALL, createServiceFixture, ofText, type ServiceFixture } from '../support/service/service-fixture.ts';

const ANSWER_BYTES_MAX = 20_000;
/** What an answer has beside URLs and what belongs to each. */
const OTHER_BYTES = 3000;
const PAGES = 60;
/** More than a test waits. */
const deadlineMs = 30_000;

const make = createTextMaker(5);
const texts = [make.text(200), make.text(200), make.text(200)];
const longUrl = (text: number, page: number) => `https://h${page}.t${text}.example/${'p'.repeat(900)}`;

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = createServiceFixture({ limits: { answerBytesMax: ANSWER_BYTES_MAX } });
  for (const [i, text] of texts.entries()) {
    for (let page = 0; page < PAGES; page++) await fixture.put(longUrl(i, page), text);
  }
});
afterAll(() => fixture.close());

function expectBound(answer: object): void {
  const bytes = JSON.stringify(answer).length;
  // the last source that there was room for may go beyond
  expect(bytes).toBeLessThan(ANSWER_BYTES_MAX + OTHER_BYTES);
  expect(bytes).toBeGreaterThan(ANSWER_BYTES_MAX - OTHER_BYTES);
}

describe('the bytes of an answer are bounded, and what is left out for that is told', () => {
  it('of what a text is made of: each part has a source all the same', async () => {
    const options = { ...DEFAULT_COMPOSITION_OPTIONS, sourcesPerPart: 1000, passages: false, deadlineMs };
    const answer = await fixture.service.compose(ofText(texts.join(' ')), options, ALL);
    expectBound(answer);
    expect(answer.parts.map(({ sourceCount }) => sourceCount)).toEqual([PAGES, PAGES, PAGES]);
    expect(Math.min(...answer.parts.map(({ sources }) => sources.length))).toBe(1);
    expect(answer.limits).toEqual([{ code: 'answer-bytes', affected: 3, of: 3 }]);
    expect(answer.complete).toBe(true);
    const few = await fixture.service.compose(ofText(texts.join(' ')), { ...options, sourcesPerPart: 3 }, ALL);
    expect(few.limits).toEqual([]);
  });

  it('of where old URLs are now: candidates that are left out make it incomplete', async () => {
    const options = { ...DEFAULT_MOVED_OPTIONS, always: true, limit: 1000, deadlineMs };
    const answer = await fixture.service.moved({ ...options, url: longUrl(0, 0) }, ALL);
    expectBound(answer);
    const { candidates, refused, limits, complete } = answer;
    const all = PAGES - 1;
    const affected = all - candidates.length - refused.length;
    expect(affected).toBeGreaterThan(30);
    expect(limits).toEqual([{ code: 'answer-bytes', affected, of: all }]);
    expect(complete).toBe(false);
    const few = await fixture.service.moved({ ...options, url: longUrl(0, 0), limit: 3 }, ALL);
    expect(few).toMatchObject({ candidates: { length: 3 }, limits: [], complete: true });
  });

  it('of a cluster: each member has a source all the same', async () => {
    const asked = { ...DEFAULT_CLUSTER_OPTIONS, sourcesPerMember: 1000, deadlineMs };
    const { index } = await fixture.service.clusters({ ...asked, url: longUrl(0, 0) }, ALL);
    expectBound(index!);
    expect(index!.limits).toEqual([{ code: 'answer-bytes', affected: 1, of: 1 }]);
    expect(index).toMatchObject({ complete: true, members: [{ sourceCount: PAGES }] });
  });
});
