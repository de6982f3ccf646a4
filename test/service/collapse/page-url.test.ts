import { describe, expect, it } from 'vitest';
import { pageUrl, siteOf, TRACKING_PARAMETERS, urlRulesBetween } from '../../../src/service/collapse/page-url.ts';
import { PLATFORM_NAMES } from '../../../src/service/collapse/platforms.ts';
import { refused } from '../../support/service/service-fixture.ts';
import { readText } from '../../support/tree/tree.ts';

const key = (url: string, rule: 'exact' | 'loose' = 'loose') => pageUrl(url, rule, 'url', 2048).key;

/** What the loose rule takes for one page: of each pair the second is only another spelling. */
const ALIKE = [
  ['https://a.example/x', 'http://a.example/x'],
  ['https://a.example/x', 'https://www.a.example/x'],
  ['https://a.example/x', 'https://a.example/x/'],
  ['https://a.example', 'http://www.a.example/'],
  ['https://a.example/x', 'https://a.example/x?'],
  ['https://a.example/x', 'https://a.example/x#part'],
  ['https://a.example/x', 'https://a.example:443/x#:~:text=some%20words'],
  ['https://a.example/x?id=1', 'https://a.example/x?utm_source=n&id=1&utm_Medium=m'],
  ['https://a.example/x', 'https://a.example/x?gclid=1&fbclid=2'],
  ['https://a.example/~me', 'https://a.example/%7Eme'],
  ['https://a.example/A_(b)', 'https://a.example/A_%28b%29'],
  ['https://a.example/ü', 'https://a.example/%c3%bc'],
  ['https://a.example/x?q=%2F', 'https://a.example/x?q=%2f'],
  ['http://[::1]:8080/x', 'https://[::1]:8080/x/'],
] as const;

/** What a platform has for one page: of each list the first is its usual spelling. */
const PLATFORM_PAGES: Readonly<Record<string, readonly string[]>> = {
  youtube: [
    'https://www.youtube.com/watch?v=jqjtNDtbDNI',
    'https://youtu.be/jqjtNDtbDNI?si=Gq0kLw1',
    'https://m.youtube.com/watch?app=desktop&v=jqjtNDtbDNI&t=31s',
    'https://www.youtube.com/shorts/jqjtNDtbDNI',
    'https://www.youtube-nocookie.com/embed/jqjtNDtbDNI',
  ],
  wikimedia: [
    'https://zh.wikipedia.org/wiki/Tide',
    'https://zh.m.wikipedia.org/wiki/Tide#Causes',
    'https://zh.wikipedia.org/zh-tw/Tide',
    'https://zh.wikipedia.org/w/index.php?title=Tide',
  ],
  reddit: [
    'https://www.reddit.com/r/sea/comments/1dbz9aa/tides/',
    'https://old.reddit.com/r/sea/comments/1dbz9aa/?ref=share',
    'https://redd.it/1dbz9aa',
  ],
  x: [
    'https://x.com/sea/status/1782000000000000000',
    'https://mobile.twitter.com/sea/status/1782000000000000000?s=20',
    'https://twitter.com/sea/status/1782000000000000000/photo/1',
  ],
  facebook: ['https://www.facebook.com/sea/posts/1', 'https://m.facebook.com/sea/posts/1?refsrc=x&__tn__=R'],
  instagram: ['https://www.instagram.com/p/C5abcDEF123/', 'https://www.instagram.com/sea/reel/C5abcDEF123/?igsh=1'],
  amazon: [
    'https://www.amazon.co.uk/dp/B004VRLIBW',
    'https://www.amazon.co.uk/Tide-Clock/dp/B004VRLIBW/ref=sr_1_3?keywords=clock&qid=171',
    'https://www.amazon.co.uk/gp/product/B004VRLIBW?psc=1&tag=sea-21',
  ],
  ebay: ['https://www.ebay.de/itm/285000000001', 'https://m.ebay.de/itm/Tide-Clock/285000000001?_trkparms=x'],
  alibaba: [
    'https://detail.tmall.com/item.htm?id=620001',
    'https://detail.tmall.com/item.htm?spm=a230r.1.14.1&id=620001',
  ],
  'stack-exchange': [
    'https://stackoverflow.com/questions/7771011/how-to-parse',
    'https://stackoverflow.com/q/7771011',
    'https://stackoverflow.com/questions/7771011/how-to-parse/7771071#7771071',
  ],
  github: ['https://github.com/sea/tides', 'https://github.com/sea/tides?tab=readme-ov-file#usage'],
  linkedin: ['https://www.linkedin.com/jobs/view/37', 'https://fr.linkedin.com/jobs/view/37?trk=public'],
  vk: ['https://vk.com/wall-1_2', 'https://m.vk.com/wall-1_2'],
  ok: ['https://ok.ru/video/12', 'https://m.ok.ru/video/12?st.cmd=main'],
  bilibili: ['https://www.bilibili.com/video/BV1xx', 'https://m.bilibili.com/video/BV1xx?spm_id_from=333'],
  douban: ['https://movie.douban.com/subject/12/', 'https://m.douban.com/movie/subject/12/'],
  naver: ['https://blog.naver.com/sea/12', 'https://m.blog.naver.com/sea/12'],
  imdb: ['https://www.imdb.com/title/tt1/', 'https://m.imdb.com/title/tt1/?ref_=fn_al'],
  spotify: ['https://open.spotify.com/track/1', 'https://open.spotify.com/track/1?si=x'],
  soundcloud: ['https://soundcloud.com/sea/tide', 'https://m.soundcloud.com/sea/tide'],
  etsy: ['https://www.etsy.com/listing/1/clock', 'https://www.etsy.com/listing/1/clock?ref=hp_rv&frs=1'],
  doi: ['https://doi.org/10.1/x', 'http://dx.doi.org/10.1/x'],
  'the-guardian': ['https://www.theguardian.com/sea/tides', 'https://amp.theguardian.com/sea/tides'],
};

/** Other pages of platforms. */
const PLATFORM_APART = [
  ['https://www.youtube.com/watch?v=jqjtNDtbDNI', 'https://www.youtube.com/watch?v=jqjtNDtbDNJ'],
  ['https://www.youtube.com/results?search_query=a', 'https://www.youtube.com/results?search_query=b'],
  ['https://www.youtube.com/playlist?list=a', 'https://www.youtube.com/playlist?list=b'],
  ['https://en.wikipedia.org/wiki/Tide', 'https://fr.wikipedia.org/wiki/Tide'],
  ['https://en.wikipedia.org/wiki/Tide', 'https://en.wikipedia.org/w/index.php?title=Tide&oldid=1'],
  ['https://www.reddit.com/r/a/comments/1/x/', 'https://www.reddit.com/r/a/comments/1/x/abc/'],
  ['https://www.reddit.com/r/a/', 'https://www.reddit.com/r/b/'],
  ['https://www.amazon.de/dp/B004VRLIBW', 'https://www.amazon.de/product-reviews/B004VRLIBW'],
  ['https://www.amazon.de/dp/B004VRLIBW', 'https://www.amazon.fr/dp/B004VRLIBW'],
  ['https://www.amazon.de/s?k=tide', 'https://www.amazon.de/s?k=clock'],
  ['https://www.ebay.de/itm/285000000001?var=1', 'https://www.ebay.de/itm/285000000001?var=2'],
  ['https://github.com/a/tides', 'https://github.com/b/tides'],
  ['https://github.com/a/tides/issues?q=1', 'https://github.com/a/tides/issues?q=2'],
  ['https://github.com/a/b/blob/x/c?ref=y', 'https://github.com/a/b/blob/x/c'],
  ['https://vk.com/wall-1_2', 'https://vk.com/wall-1_3'],
  ['https://stackoverflow.com/questions/1/x', 'https://stackoverflow.com/questions/1/x?page=2'],
  ['https://notyoutube.com/watch?v=jqjtNDtbDNI&t=1', 'https://notyoutube.com/watch?v=jqjtNDtbDNI'],
  ['https://m.example/x', 'https://example/x'],
] as const;

/** What may be other pages. */
const APART = [
  ['https://a.example/x', 'https://a.example/X'],
  ['https://a.example/x', 'https://a.example/x/index.html'],
  ['https://a.example/x', 'https://m.a.example/x'],
  ['https://a.example/x', 'https://amp.a.example/x'],
  ['https://a.example/x', 'https://a.example/x/amp'],
  ['https://a.example/x', 'https://a.example//x'],
  ['https://a.example/x?a=1&b=2', 'https://a.example/x?b=2&a=1'],
  ['https://a.example/x', 'https://a.example/x?utm=1'],
  ['https://a.example/x', 'https://a.example/x?ref=1'],
  ['https://a.example/x', 'https://a.example/x?a'],
  ['https://a.example/x', 'https://a.example/x;jsessionid=1'],
  ['https://a.example/x', 'https://a.example:8443/x'],
  ['https://a.example/a/b', 'https://a.example/a%2Fb'],
  ['https://a.example/x?a=1', 'https://a.example/x%3Fa=1'],
  ['https://a.example/x?a=%26b', 'https://a.example/x?a=&b'],
  ['https://www.example/', 'https://example/'],
  ['https://matrix.example/#/#one:x', 'https://matrix.example/#/#two:x'],
  ['https://files.example/#!one', 'https://files.example/'],
  ['urn:x:1', 'urn:X:1'],
] as const;

describe('URLs of one page', () => {
  it.each(ALIKE)('by the loose rule: %s and %s', (a, b) => {
    expect(key(b)).toBe(key(a));
  });

  it.each(APART)('are not %s and %s', (a, b) => {
    expect(key(b)).not.toBe(key(a));
  });

  it.each(Object.entries(PLATFORM_PAGES))('are what %s has for one page', (_platform, [first, ...others]) => {
    for (const other of others) {
      expect(key(other)).toBe(key(first!));
      expect(urlRulesBetween(other, first!)).toContain('platform');
      expect(key(other, 'exact')).not.toBe(key(first!, 'exact'));
    }
  });

  it.each(PLATFORM_APART)('of a platform are not %s and %s', (a, b) => {
    expect(key(b)).not.toBe(key(a));
  });

  it('are those behind a cache of AMP pages', () => {
    const page = 'https://www.a.example/x?id=1';
    for (const cached of [
      'https://www.google.com/amp/s/www.a.example/x?id=1&usqp=mq3',
      'https://www.google.co.uk/amp/s/a.example/x?id=1',
      'https://a-example.cdn.ampproject.org/c/s/a.example/x?id=1&amp_js_v=0.1',
    ]) {
      expect(key(cached)).toBe(key(page));
      expect(urlRulesBetween(cached, page)).toContain('amp-cache');
    }
    expect(key('https://www.google.com/search?q=amp')).not.toBe(key('https://www.google.com/search?q=map'));
  });

  it('are those with the host that linked in `ref`, and not with any other', () => {
    expect(key('https://a.example/x?ref=news.b-c.com')).toBe(key('https://a.example/x'));
    for (const ref of ['main', 'v1.2', 'release.candidate', '7', '']) {
      expect(key(`https://a.example/x?ref=${ref}`)).not.toBe(key('https://a.example/x'));
    }
  });

  it('are told in what they differ', () => {
    const differ = (a: string, b: string) => urlRulesBetween(a, b);
    expect(differ('http://www.a.example/x/?utm_id=1', 'https://a.example/x')).toEqual([
      ...['scheme', 'www', 'slash', 'tracking'],
    ]);
    expect(differ('https://a.example/x?utm_id=1', 'https://a.example/x?utm_id=2')).toEqual(['tracking']);
    expect(differ('https://a.example/~x', 'https://a.example/%7Ex')).toEqual(['encoding']);
    expect(differ('https://a.example/x', 'https://a.example/x')).toEqual([]);
    expect(differ('urn:x', 'urn:x')).toEqual([]);
  });

  it('by the exact rule are those that the index takes for one, but for routes behind a #', () => {
    const same = ['https://a.example:443/x#part', 'HTTPS://A.example/x'].map((url) => key(url, 'exact'));
    expect(new Set(same)).toEqual(new Set(['https://a.example/x']));
    for (const [a, b] of ALIKE.slice(0, 5)) expect(key(b, 'exact')).not.toBe(key(a, 'exact'));
    expect(key('https://matrix.example/#/a', 'exact')).not.toBe(key('https://matrix.example/#/b', 'exact'));
  });

  it('keeps the URL that the index knows, and its host, without www. by the loose rule', () => {
    const { url, fetchable } = pageUrl('http://www.A.example/x?utm_id=1#/y', 'loose', 'url', 2048);
    expect([url, fetchable]).toEqual(['http://www.a.example/x?utm_id=1', true]);
    expect([siteOf(url, 'loose'), siteOf(url, 'exact')]).toEqual(['a.example', 'www.a.example']);
    expect(siteOf('https://www.example/', 'loose')).toBe('www.example');
    expect(siteOf('urn:x', 'loose')).toBeNull();
  });

  it('refuses what is no URL', () => {
    expect(() => pageUrl('x', 'loose', 'results[0].url', 2048)).toThrow(
      expect.objectContaining(refused('invalid-url', { field: 'results[0].url' })),
    );
  });

  it('are told by the parameters that docs/api.md lists, no more and no fewer', () => {
    const row = /^\| tracking parameters \|.*$/m.exec(readText('docs/api.md'))![0];
    const listed = [...row.matchAll(/`([a-z_]+\*?)`/g)].map((match) => match[1]!);
    expect(listed.toSorted()).toEqual([...TRACKING_PARAMETERS].toSorted());
  });

  it('are told of the platforms that docs/api.md lists, each with a case here', () => {
    const row = /^\| a platform's own spellings \|.*$/m.exec(readText('docs/api.md'))![0];
    const listed = [...row.matchAll(/`([a-z-]+)`/g)].map((match) => match[1]!);
    expect(listed.toSorted()).toEqual([...PLATFORM_NAMES].toSorted());
    expect(Object.keys(PLATFORM_PAGES).toSorted()).toEqual([...PLATFORM_NAMES].toSorted());
  });
});
