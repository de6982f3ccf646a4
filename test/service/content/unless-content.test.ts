import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Unless } from '../../../src/service/api.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, frame, framedPage } from '../../support/pages/framed-page.ts';
import { createServiceFixture, type ServiceFixture } from '../../support/service/service-fixture.ts';

const make = createTextMaker(79);
const HALF = { resemblance: 0.5, queryInMatch: null, matchInQuery: null };

describe('a put unless a content is there', () => {
  let fixture: ServiceFixture;
  const [frameA, frameB] = [frame(make, 500), frame(make, 700)];
  const story = article(make, 160);
  beforeEach(async () => {
    fixture = createServiceFixture();
    for (let n = 0; n < 5; n++) {
      await put(`https://a.example/${n}`, framedPage(frameA, article(make, 160)));
      await put(`https://b.example/${n}`, framedPage(frameB, article(make, 160)));
    }
  });
  afterEach(() => fixture.close());

  const put = (url: string, html: string, unless: Unless | null = null) =>
    fixture.put(url, '', { body: { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8' }, unless });

  it('keeps another article of the same site, and skips the same one of another', async () => {
    const unless: Unless = { ...HALF, content: 'main' };
    const page = framedPage(frameA, story);
    expect(await put('https://a.example/story', page, HALF)).toMatchObject({ status: 'skipped' });
    expect(await put('https://a.example/story', page, unless)).toMatchObject({ status: 'created' });
    const copy = framedPage(frameB, story);
    expect(await put('https://b.example/story', copy, unless)).toMatchObject({
      ...{ status: 'skipped', similarComplete: true },
      similar: [{ decidedBy: 'content', sources: [{ url: 'https://a.example/story' }] }],
    });
    expect(await put('https://b.example/other', framedPage(frameB, article(make, 160)), unless)).toMatchObject({
      status: 'created',
    });
  });

  it('keeps one of two that are on their way at once', async () => {
    const unless: Unless = { ...HALF, content: 'main' };
    const both = await Promise.all([
      put('https://a.example/story', framedPage(frameA, story), unless),
      put('https://b.example/story', framedPage(frameB, story), unless),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['created', 'skipped']);
  });
});
