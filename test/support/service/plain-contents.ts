import { isMarked } from '../../../src/core/sketch/main-marks.ts';
import type { Content } from '../../../src/store/port.ts';
import { createTextMaker, type TextMaker } from '../core/make-documents.ts';
import { article, type Frame, frame, framedPage } from '../pages/framed-page.ts';
import { createServiceFixture, type FixtureOptions, type ServiceFixture } from './service-fixture.ts';

/*
 * Contents of documents by brute force: plain sets of values, of an index that keeps and looks up all of them. Its hosts have
 * one frame each, and no two pages with one article, so that a template is what at least half of the pages have, and three.
 */

/** Low bits that all values have. */
const BITS = 2 ** 28;
const OWN_LEAST = 20;

export interface PlainPage {
  readonly url: string;
  readonly id: string;
  readonly page: ReadonlySet<number>;
  /** Its main text, less the template of its host. */
  readonly content: ReadonlySet<number>;
  readonly main: Content['main'];
  readonly hasTemplate: boolean;
  /** Why nothing is known of its content. */
  readonly unknown: 'not-read' | 'too-little' | null;
}

export interface Site {
  readonly url: string;
  readonly html: string;
}

/** An index that tells everything exactly. */
export const exactFixture = (options: FixtureOptions = {}): ServiceFixture =>
  createServiceFixture({ ...options, description: { indexModulusMax: 1, recordModulusMax: 1 } });

/** Pages of a few sites that take passages of their articles from one another. */
export function patchwork(seed: number, { hosts = 3, pages = 5 } = {}): Site[] {
  const make = createTextMaker(seed);
  const told: string[] = [];
  const frames: Frame[] = Array.from({ length: hosts }, () => frame(make, 120));
  const sites: Site[] = [];
  for (let n = 0; n < pages; n++) {
    for (const [host, around] of frames.entries()) {
      const text = taking(make, told);
      told.push(text);
      sites.push({ url: `https://${'abcdefgh'[host]}.example/${n}`, html: framedPage(around, text) });
    }
  }
  return sites;
}

/** An article, some of whose paragraphs are of others. */
function taking(make: TextMaker, told: readonly string[]): string {
  const own = article(make, 60 + make.prng.below(120)).split('\n\n');
  for (let taken = make.prng.below(3); taken > 0 && told.length > 0; taken--) {
    const from = told[make.prng.below(told.length)]!.split('\n\n');
    own.splice(make.prng.below(own.length + 1), 0, from[make.prng.below(from.length)]!);
  }
  return own.join('\n\n');
}

export async function putSites({ put }: ServiceFixture, sites: readonly Site[]): Promise<void> {
  for (const { url, html } of sites) {
    const body = { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8' };
    await put(url, '', { body, observedAt: Date.parse('2026-01-01T00:00:00Z') });
  }
}

/** What the index knows of the pages, by their URLs. */
export async function plainPages({ store }: ServiceFixture, urls: readonly string[]): Promise<Map<string, PlainPage>> {
  const records = new Map<string, Content>();
  for (const url of urls) records.set(url, (await store.content((await store.source(url))!.contentId))!);
  const hostOf = (url: string) => new URL(url).host;
  const templates = new Map<string, ReadonlySet<number>>();
  for (const host of new Set(urls.map(hostOf))) {
    const ids = new Map(
      urls.filter((url) => hostOf(url) === host).map((url) => [records.get(url)!.id, records.get(url)!]),
    );
    templates.set(host, templateOf([...ids.values()].map(valuesOf)));
  }
  return new Map(urls.map((url) => [url, plainPage(url, records.get(url)!, templates.get(hostOf(url))!)]));
}

const valuesOf = ({ sample }: Content) => new Set(Array.from(sample.values, (value) => value % BITS));

function templateOf(pages: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const page of pages) for (const value of page) counts.set(value, (counts.get(value) ?? 0) + 1);
  const least = Math.max(3, Math.ceil(pages.length / 2));
  return new Set([...counts].filter(([, count]) => pages.length >= 3 && count >= least).map(([value]) => value));
}

function plainPage(url: string, record: Content, template: ReadonlySet<number>): PlainPage {
  const { id, main, sample } = record;
  if (sample.modulus !== 1) throw new Error('the index does not keep all of it');
  const own = (_: number, i: number) => main === null || main === 'not-read' || isMarked(main, i);
  const content = new Set(
    Array.from(sample.values)
      .filter(own)
      .map((value) => value % BITS),
  ).difference(template);
  const isPart = main !== null || template.size > 0;
  const unknown = main === 'not-read' ? main : isPart && content.size < OWN_LEAST ? 'too-little' : null;
  return { url, id, page: valuesOf(record), content, main, hasTemplate: template.size > 0, unknown };
}
