import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Corpus, CorpusContent, CorpusReading, TextMarks } from '../../../src/cluster/port.ts';
import { byOwnContents } from '../../../src/commands/contents/own-contents.ts';
import type { ReadMarks } from '../../../src/core/content/told-content.ts';
import { keptSample } from '../../../src/core/query/record-sample.ts';
import { bitsOf } from '../../../src/core/sketch/main-marks.ts';
import { wholeSample } from '../../../src/core/sketch/narrow.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const prng = createPrng(3);
const drawn = (count: number) => [...distinctFingerprints(prng, count)];
const frame = drawn(120);
const sorted = (values: readonly number[]) => Float64Array.from(values).sort();
const digest = (text: string) => Buffer.from(text).toString('hex').padEnd(32, '0').slice(0, 32);

/** A page with a frame, of which half was taken for main text. */
function pageOf(name: string, own: readonly number[], main: 'read' | 'not-read' | null = 'read'): CorpusContent {
  const fingerprints = sorted([...frame, ...own]);
  const marked = sorted([...frame.slice(0, 60), ...own]);
  const shingleCount = fingerprints.length;
  const bits = bitsOf(fingerprints, marked);
  const marks: ReadMarks = main === 'read' ? { shingleCount: marked.length, bits } : main;
  return {
    ...{ lexicalDigest: digest(`l${name}`), shingleDigest: digest(`s${name}`), shingleCount },
    ...{ sample: wholeSample({ modulus: 1, fingerprints }), marks: { id: digest(name), main: marks, hasWords: true } },
  };
}

const corpusOf = (contents: readonly CorpusContent[], brought: () => void = () => undefined): Corpus => ({
  ...{ names: ['made'], fingerprint: 'made', inputBytes: null, readingBytes: 0 },
  readInto: async (sink, _told, signal) => {
    for (const [record, content] of contents.entries()) {
      const [number] = sink.contents([content]);
      sink.document({ content: number!, url: `https://a.example/${record}`, date: null, record });
      await sink.room();
    }
    brought();
    signal?.throwIfAborted();
    return { records: contents.length, leftOut: {} };
  },
});

interface Brought {
  readonly texts: CorpusContent[];
  readonly documents: number[];
  readonly reading: CorpusReading;
  readonly held: number;
}

async function brought(contents: readonly CorpusContent[], by: 'main' | 'auto'): Promise<Brought> {
  const [texts, documents]: [CorpusContent[], number[]] = [[], []];
  let held = 0;
  const sink = {
    contents: (some: readonly CorpusContent[]) => some.map((one) => texts.push(one) - 1),
    document: ({ content }: { readonly content: number }) => {
      documents.push(content);
    },
    room: async (heldBytes = 0) => {
      held = Math.max(held, heldBytes);
    },
  };
  const folder = temporaryFolder();
  const corpus = byOwnContents(corpusOf(contents), { by, folder, rankKey: [1, 2] });
  const reading = await corpus.readInto(sink, () => undefined, undefined);
  expect(readdirSync(folder)).toEqual([]);
  return { texts, documents, reading, held };
}

describe('a corpus by own contents', () => {
  const stories = Array.from({ length: 4 }, () => drawn(40));

  it('has of each text what is main and not of its template, and each text once', async () => {
    const contents = [...stories.map((own, i) => pageOf(`p${i}`, own)), pageOf('p0', stories[0]!)];
    const { texts, documents, reading, held } = await brought(contents, 'main');
    expect(documents).toEqual([0, 1, 2, 3, 0]);
    expect(texts.map(({ sample }) => sample)).toEqual(stories.map((own) => recordOf(sorted(own))));
    expect(texts.map(({ shingleCount, part }) => [shingleCount, part])).toEqual(stories.map(() => [40, 'counted']));
    // what nobody has counted is equal by name alone
    expect(texts.map(({ shingleDigest }) => shingleDigest)).toEqual(contents.slice(0, 4).map(idOf));
    const counts = { read: 4, whole: 0, tooLittle: 0, notRead: 0, estimated: 0 };
    expect(reading.contents).toEqual({ by: 'main', templates: 1, ...counts });
    expect(held).toBeGreaterThan(1000);
  });

  it('compares what has no content of its own with nothing, or by whole pages', async () => {
    const [few, old] = [pageOf('few', drawn(19)), pageOf('old', stories[3]!, 'not-read')];
    const contents = [...stories.slice(0, 3).map((own, i) => pageOf(`p${i}`, own)), few, old];
    const main = await brought(contents, 'main');
    expect(main.texts.slice(3).map(({ sample }) => sample.values.length)).toEqual([0, 0]);
    const auto = await brought(contents, 'auto');
    for (const [at, page] of [few, old].entries()) {
      const text = auto.texts[3 + at]!;
      // as its record has it
      expect(text.sample).toEqual(recordOf(page.sample.values));
      expect(text).toMatchObject({ shingleDigest: page.shingleDigest, shingleCount: page.shingleCount });
      expect(text.part).toBeUndefined();
    }
    for (const { reading } of [main, auto]) expect(reading.contents).toMatchObject({ tooLittle: 1, notRead: 1 });
  });

  it('ends where it is stopped, and leaves no file', async () => {
    const folder = temporaryFolder();
    const stopping = new AbortController();
    const corpus = corpusOf([pageOf('a', stories[0]!)], () => stopping.abort(new Error('stopped')));
    const sink = { contents: () => [0], document: () => undefined, room: async () => undefined };
    const read = byOwnContents(corpus, { by: 'main', folder, rankKey: [1, 2] });
    await expect(read.readInto(sink, () => undefined, stopping.signal)).rejects.toThrow('stopped');
    expect(readdirSync(folder)).toEqual([]);
  });
});

const recordOf = (fingerprints: Float64Array) => keptSample({ modulus: 1, fingerprints }, fingerprints.length, 8);

const idOf = ({ marks }: { readonly marks?: TextMarks }) => marks!.id;
