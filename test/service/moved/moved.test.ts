import { describe, expect, it } from 'vitest';
import { at, brief, DAY, DOCUMENT, eachWithAnIndex, edited, NEW, OLD, textOf } from '../../support/moved/told-index.ts';

const { again, ask, forget, gone, led, put } = eachWithAnIndex();

describe('a document that moved', () => {
  it('is found where it says the same since', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(10, NEW, DOCUMENT, { meta: { x: 1 } });
    expect(await ask()).toMatchObject({
      ...{ url: OLD, state: 'gone', refused: [], contentsForgotten: 0, timegate: null, complete: true, limits: [] },
      lastSeen: '2026-01-30T12:00:00.000Z',
      candidates: [
        {
          ...{ url: NEW, how: 'within-host', sure: 'certain', equivalence: 'identical', via: null },
          ...{ resemblance: { estimate: 1 }, queryInMatch: { estimate: 1 } },
          ...{ firstSeen: '2026-02-09T12:00:00.000Z', shownUntil: '2026-01-30T12:00:00.000Z' },
        },
      ],
    });
  });

  it('is found where it was changed since, at the move and after it', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(10, NEW, edited(DOCUMENT, 30));
    expect(brief(await ask())).toEqual([[NEW, 'within-host', 'likely']]);
    await put(20, NEW, edited(edited(DOCUMENT, 30), 41));
    expect(brief(await ask())).toEqual([[NEW, 'within-host', 'likely']]);
  });

  it('is found on another host: less surely under another name', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(10, at('x/old.html', 'b.example'), DOCUMENT);
    await put(10, at('y', 'c.example'), DOCUMENT);
    expect(brief(await ask())).toEqual([
      [at('x/old.html', 'b.example'), 'other-host', 'certain'],
      [at('y', 'c.example'), 'other-host', 'likely'],
    ]);
  });

  it('is found though the old URL shows another document now', async () => {
    await put(0, OLD, DOCUMENT);
    await put(10, OLD, textOf(2));
    await put(10, NEW, DOCUMENT);
    expect(await ask()).toMatchObject({ state: 'replaced', refused: [] });
    expect(brief(await ask())).toEqual([[NEW, 'within-host', 'certain']]);
  });

  it('is found though there is little left of it, where its name and host say so as well', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    const much = edited(DOCUMENT, 9);
    await put(10, at('else.html'), much);
    expect(brief(await ask())).toEqual([]);
    await put(10, at('manual/old.html'), `${much} once more`);
    await forget(at('else.html'));
    expect(brief(await ask())).toEqual([[at('manual/old.html'), 'within-host', 'likely']]);
  });

  it('is found by the URL that a page leads to', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await led(10, at('short'), NEW, DOCUMENT);
    expect((await ask()).candidates).toMatchObject([{ url: NEW, via: at('short'), sure: 'certain' }]);
    await put(11, NEW, DOCUMENT);
    expect((await ask()).candidates).toMatchObject([{ url: NEW, via: null }]);
    await gone(12, NEW);
    expect(brief(await ask())).toEqual([]);
  });

  it('is not where a page leads back to the old URL', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await led(10, at('short'), OLD, DOCUMENT);
    expect(brief(await ask())).toEqual([]);
  });

  it('is not offered where it is gone as well, nor where the page shows something else again', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(10, NEW, DOCUMENT);
    await put(10, at('third'), DOCUMENT);
    await gone(20, NEW);
    await put(20, at('third'), textOf(3));
    expect(brief(await ask())).toEqual([]);
  });
});

describe('a copy', () => {
  it('that was there before is marked as one: likely on the host, else only possible', async () => {
    await put(0, OLD, DOCUMENT);
    await put(0, at('print'), DOCUMENT);
    await put(0, at('mirror', 'b.example'), DOCUMENT);
    await put(5, OLD, DOCUMENT);
    await gone(10, OLD);
    expect(brief(await ask())).toEqual([
      [at('print'), 'copy', 'likely'],
      [at('mirror', 'b.example'), 'copy', 'possible'],
    ]);
  });

  it('that was edited since is one still: it was there before', async () => {
    await put(0, at('mirror', 'b.example'), edited(DOCUMENT, 30));
    await put(5, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(12, at('mirror', 'b.example'), DOCUMENT);
    expect(brief(await ask())).toEqual([[at('mirror', 'b.example'), 'copy', 'possible']]);
  });

  it('comes after what moved', async () => {
    await put(0, OLD, DOCUMENT);
    await put(0, at('print'), DOCUMENT);
    await gone(10, OLD);
    await put(10, NEW, DOCUMENT);
    expect(brief(await ask())).toEqual([
      [NEW, 'within-host', 'certain'],
      [at('print'), 'copy', 'likely'],
    ]);
  });
});

describe('a URL that is alive', () => {
  it('has no candidates unless they are asked for; then they are copies', async () => {
    await put(0, OLD, DOCUMENT);
    await put(10, OLD, edited(DOCUMENT, 30));
    await put(10, NEW, edited(DOCUMENT, 30));
    const none = { resemblance: null, queryInMatch: null, matchInQuery: null };
    expect(await ask()).toMatchObject({ state: 'live', candidates: [], recall: none, complete: true });
    expect(brief(await ask(OLD, { always: true }))).toEqual([[NEW, 'copy', 'likely']]);
  });

  it('is so however far its document has come in small steps, and though it was away for a while', async () => {
    await put(0, OLD, DOCUMENT);
    let text = DOCUMENT;
    for (let day = 1; day <= 4; day++) {
      text = edited(text, 20 + day);
      await put(day, OLD, text);
    }
    expect(await ask()).toMatchObject({ state: 'live' });
    await put(6, OLD, textOf(9, 40));
    await put(7, OLD, text);
    expect(await ask()).toMatchObject({ state: 'live' });
    await gone(8, OLD);
    await put(9, OLD, text);
    expect(await ask()).toMatchObject({ state: 'live' });
  });

  it('shows another document, though nothing is kept of the one before', async () => {
    await again({ retention: { pastContentsMax: 0, pastMs: DAY, versionsMax: 9, pastResemblanceMax: 0.9 } });
    await put(0, OLD, DOCUMENT);
    await put(10, OLD, textOf(2));
    expect(await ask()).toMatchObject({ state: 'replaced', candidates: [], contentsForgotten: 1 });
  });
});

describe('a redirect', () => {
  it('is certain where what it leads to says the same', async () => {
    await put(0, OLD, DOCUMENT);
    await led(10, OLD, NEW, edited(DOCUMENT, 30));
    expect(await ask()).toMatchObject({ state: 'redirected', candidates: [{ firstSeen: '2026-02-09T12:00:00.000Z' }] });
    expect(brief(await ask())).toEqual([[NEW, 'redirect', 'certain']]);
    await put(10, NEW, edited(DOCUMENT, 30));
    expect(brief(await ask())).toEqual([[NEW, 'redirect', 'certain']]);
  });

  it('is only possible once the old URL is gone, and nothing is known of where it led', async () => {
    await led(0, OLD, NEW, DOCUMENT);
    await gone(10, OLD);
    expect((await ask()).candidates).toMatchObject([{ url: NEW, how: 'redirect', sure: 'possible', firstSeen: null }]);
    await put(11, NEW, DOCUMENT);
    expect(brief(await ask())).toEqual([[NEW, 'redirect', 'certain']]);
    await gone(12, NEW);
    expect(brief(await ask())).toEqual([]);
  });

  it('to another document is refused', async () => {
    await put(0, OLD, DOCUMENT);
    await led(10, OLD, at('archive'), textOf(2));
    const refused = [{ url: at('archive'), reason: 'other-document', sharedBy: null }];
    expect(await ask()).toMatchObject({ state: 'replaced', candidates: [], refused });
    await put(10, NEW, DOCUMENT);
    expect(brief(await ask())).toEqual([[NEW, 'within-host', 'certain']]);
  });

  it('to the home page is refused, where the old URL was none', async () => {
    const home = textOf(2);
    await put(0, at(''), home);
    await put(0, OLD, DOCUMENT);
    await led(10, OLD, at(''), home);
    const refused = [{ url: at(''), reason: 'home-page', sharedBy: null }];
    expect(await ask()).toMatchObject({ state: 'replaced', candidates: [], refused });
    await led(10, at('never-seen-before'), at(''), home);
    expect(await ask(at('never-seen-before'))).toMatchObject({ candidates: [], refused: [{ reason: 'home-page' }] });
    await led(10, at('index.html'), at(''), home);
    expect(brief(await ask(at('index.html')))).toEqual([[at(''), 'redirect', 'certain']]);
  });

  it('to what is no URL leads nowhere', async () => {
    await put(0, OLD, DOCUMENT);
    await led(10, OLD, OLD, DOCUMENT);
    expect(await ask()).toMatchObject({ state: 'live' });
  });

  it('that leads on is followed to where it ends, and what stands between is not called another document', async () => {
    const [b, c, d] = [at('b'), at('c'), at('d')];
    await put(0, OLD, DOCUMENT);
    await led(10, OLD, b, DOCUMENT);
    await led(10, b, c, DOCUMENT);
    await led(11, c, d, DOCUMENT);
    await put(12, d, DOCUMENT);
    const answer = await ask();
    expect(brief(answer)[0]).toEqual([d, 'redirect', 'certain']);
    expect(answer.candidates.map(({ url }) => url)).toEqual([d]);
    expect(answer.refused).toEqual([]);
  });

  it('that was seen to lead the other way since is found where it leads now', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await led(10, at('b'), at('c'), DOCUMENT);
    await led(11, at('c'), at('b'), DOCUMENT);
    expect(await ask()).toMatchObject({ candidates: [{ url: at('b') }], refused: [] });
    await led(12, at('b'), at('c'), DOCUMENT);
    expect(await ask()).toMatchObject({ candidates: [{ url: at('c') }], refused: [] });
  });

  it('to what leads on to what is gone is nowhere, and no other document', async () => {
    await put(0, OLD, DOCUMENT);
    await led(10, OLD, at('b'), DOCUMENT);
    await led(10, at('b'), NEW, DOCUMENT);
    await put(10, NEW, DOCUMENT);
    await gone(11, NEW);
    expect(await ask()).toMatchObject({ state: 'redirected', candidates: [], refused: [] });
  });

  it('is not followed to a page that was seen since to show another document', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await led(10, at('b'), NEW, DOCUMENT);
    await put(20, NEW, textOf(2));
    expect(brief(await ask())).toEqual([]);
    // seen earlier, it says nothing of what was there when it was led to
    await forget(NEW);
    await put(5, NEW, textOf(2));
    expect(brief(await ask())).toEqual([[NEW, 'within-host', 'certain']]);
  });
});
