import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type OwnContent, ownContent } from '../../src/core/content/own-content.ts';
import { keptSample } from '../../src/core/query/record-sample.ts';
import { coarsenBits, keptBits, type MainMarks } from '../../src/core/sketch/main-marks.ts';
import { coarsen, modulusFor, RECORD_SHINGLES_LEAST } from '../../src/core/sketch/modulus.ts';
import { type ComparedSample, wholeSample } from '../../src/core/sketch/narrow.ts';
import type { Sketch, Sketcher } from '../../src/core/sketch/sketch.ts';
import { type HostTemplate, makeHostTemplate } from '../../src/core/template/host-template.ts';
import { pageContent } from '../../src/extract/html/html-scanner.ts';
import { HOST_SOURCES_MAX } from '../../src/store/host-sample.ts';

/* Sets of pages whose articles are known, and what their pages say by themselves: by all shingles, and by what records keep. */

/** A line of a set. */
export interface SetPage {
  readonly n: number;
  readonly url: string;
  readonly host: number;
  /** Pages with the same number have the same article, as a whole, edited or cut. */
  readonly article: number;
  /** Of a page that is rendered again: 0 as it was, 1 with other widgets, 2 with an edited article. */
  readonly again?: number;
  /** The article alone. */
  readonly text: string;
  readonly html: string;
}

export async function* setPages(file: string): AsyncGenerator<SetPage> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') yield JSON.parse(line) as SetPage;
  }
}

/** A page as it is compared: by a sample, with what of it is main. */
export interface Compared {
  readonly shingleCount: number;
  readonly sample: ComparedSample;
  readonly main: Pick<MainMarks, 'shingleCount' | 'bits'> | null;
}

export interface ReadPage extends Omit<SetPage, 'html' | 'text'> {
  readonly article: number;
  /** The article, by all shingles. */
  readonly gold: Compared;
  /** The page by all shingles, and as its record has it. */
  readonly whole: Compared;
  readonly record: Compared;
}

const encoder = new TextEncoder();

export function readPage(sketcher: Sketcher, { html, text, ...page }: SetPage): ReadPage {
  const read = pageContent(encoder.encode(html), false);
  const sketch = sketcher.sketch(read.text, 1, undefined, 0, read.main);
  return {
    ...page,
    gold: wholeOf(sketcher.sketch(encoder.encode(text), 1)),
    whole: wholeOf(sketch),
    record: recordOf(sketch),
  };
}

const wholeOf = ({ shingleCount, sample, main }: Sketch): Compared => ({
  ...{ shingleCount, sample: wholeSample(sample), main },
});

function recordOf({ shingleCount, sample, main }: Sketch): Compared {
  const modulus = modulusFor(shingleCount, 4, RECORD_SHINGLES_LEAST);
  const kept = coarsen(sample, modulus);
  const narrowed = keptSample(kept, shingleCount, 8);
  const marked = main && { ...main, bits: keptBits(kept, coarsenBits(sample, main.bits, modulus), narrowed) };
  return { shingleCount, sample: narrowed, main: marked };
}

export type Form = 'whole' | 'record';

/** The templates of all hosts. */
export function templatesOf(pages: readonly ReadPage[], form: Form): Map<number, HostTemplate | null> {
  const byHost = Map.groupBy(pages, ({ host }) => host);
  return new Map(
    Array.from(byHost, ([host, some]) => [
      host,
      makeHostTemplate(some.slice(0, HOST_SOURCES_MAX).map((page) => page[form])),
    ]),
  );
}

/** What of a page is compared. */
export type Part = 'page' | 'page without template' | 'main' | 'content';

export function partOf(page: ReadPage, form: Form, part: Part, template: HostTemplate | null): OwnContent {
  const document = page[form];
  const isMain = part === 'main' || part === 'content';
  const taken = part === 'page' || part === 'main' ? null : template;
  return ownContent({ ...document, main: isMain ? document.main : null }, taken);
}
