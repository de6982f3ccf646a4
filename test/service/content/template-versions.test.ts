import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, frame, framedPage } from '../../support/pages/framed-page.ts';
import { ALL, createServiceFixture, type ServiceFixture, START_MS } from '../../support/service/service-fixture.ts';

const make = createTextMaker(83);
let fixture: ServiceFixture;
beforeEach(() => {
  fixture = createServiceFixture();
});
afterEach(() => fixture.close());

it('a version whose page changed beside its main text is told apart from an edited one, and counted apart', async () => {
  const url = 'https://a.example/story';
  const links = frame(make, 300).before;
  const { before } = frame(make, 300);
  const page = (head: string, text: string) => framedPage({ before: head, after: '' }, text);
  const story = article(make, 160);
  const edited = story.replace(/word\S+ word\S+/, 'other words');
  const pages = [page(before, story), page(links, story), page(links, edited), page(before, edited)];
  for (const [day, html] of pages.entries()) {
    const body = { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8' };
    await fixture.put(url, '', { body, observedAt: START_MS - (9 - day) * 86_400_000 });
  }
  const { versions, rate } = await fixture.service.versions(url, { limit: 10, cursor: null }, ALL);
  expect(versions.map(({ change }) => change?.kind)).toEqual(['template', 'edited', 'template', undefined]);
  expect(versions[0]!.change!.resemblance!.estimate).toBeLessThan(1);
  expect(rate.changes).toMatchObject({ template: 2, edited: 1, formatting: 0 });
  expect(rate.perDay!.template).toBeGreaterThan(0);
});
