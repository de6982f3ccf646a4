import { describe, expect, it } from 'vitest';
import type { IndexAccess } from '../../../src/client/port.ts';
import { DEFAULT_CLUSTER_OPTIONS } from '../../../src/service/limits.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, frame, framedPage } from '../../support/pages/framed-page.ts';
import { indexWith, runWith } from '../../support/process/cli-run.ts';
import { ALL, createServiceFixture } from '../../support/service/service-fixture.ts';

/* Commands that ask by contents, over a service of two sites with one story on both. */

const make = createTextMaker(103);
const story = article(make, 150);
const [STORY, COPY, EMPTY] = ['https://a.example/story', 'https://b.example/story', 'https://a.example/empty'];

async function sites() {
  const fixture = createServiceFixture();
  const put = (url: string, html: string) =>
    fixture.put(url, '', { body: { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8' } });
  for (const host of ['a', 'b']) {
    const around = frame(make, 500);
    for (let n = 0; n < 4; n++) await put(`https://${host}.example/${n}`, framedPage(around, article(make, 150)));
    await put(`https://${host}.example/story`, framedPage(around, story));
    if (host === 'a') await put(EMPTY, framedPage(around, 'Nothing.'));
  }
  return fixture;
}

describe('commands by content', () => {
  it('say what both figures are, and why nothing is compared by its content', async () => {
    const fixture = await sites();
    const { service } = fixture;
    const wishes: unknown[] = [];
    const index: Partial<IndexAccess> = {
      composition: async (reference, options) => {
        wishes.push(options.content);
        return service.compose(reference, options, ALL);
      },
      cluster: async (request) => {
        wishes.push(request.content);
        return service.clusters({ ...DEFAULT_CLUSTER_OPTIONS, ...request }, ALL);
      },
      moved: async (request) => {
        wishes.push(request.content);
        return service.moved(request, ALL);
      },
    };
    const run = async (...args: string[]) =>
      (await runWith([...args, '--content', 'main'], { open: async () => indexWith(index) })).out;
    const composed = await run('composition', STORY);
    expect(composed).toMatch(
      / part +of it +with what others have +of its content +URL\n {2}1 .*b\.example\/story\n {2}-/,
    );
    const family = await run('family', STORY);
    expect(family).toMatch(/ resemblance +of contents +URL +like\n/);
    expect(family).toContain('2 texts');
    const moved = await run('moved', STORY, '--always');
    expect(moved).toMatch(/ how sure +how +what it says +of contents +first seen +URL\n/);
    expect(moved).toContain(COPY);
    for (const command of [['composition'], ['family'], ['moved', '--always']]) {
      expect(await run(...command, EMPTY)).toContain(
        'Nothing is compared by its content: it has too few words of its own',
      );
    }
    expect(new Set(wishes)).toEqual(new Set(['main']));
    await fixture.close();
  });
});
