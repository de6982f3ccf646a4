import { readFileSync } from 'node:fs';
import { extract } from '../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import { deriveIdentity } from '../../src/identity/index-key.ts';
import { createKernel } from '../../src/kernel/choose.ts';
import { createDocumentProcessor } from '../../src/workers/process-document.ts';
import { corpusDocuments } from '../support/corpus.ts';
import { bulk, startService } from '../support/service-process.ts';
import { quantile, type Row } from '../support/table.ts';
import { composition } from './ask.ts';

/*
 * Real documents, each asked by its text without its URL, against the greedy cover of its whole set by all others, by the
 * definition: every step counts every content again. The index keeps and posts every shingle, and its limits are so wide that
 * none bites. What is compared are the contents in their order, and both shares of each.
 */

const SHARE = 0.02;
const LIMITS = {
  ...{ INDEX_MODULUS: '1', RECORD_MODULUS: '1', LOOK_UPS_MAX: '32767', CANDIDATES_MAX: '100000' },
};

interface Known {
  readonly id: string;
  readonly urls: Set<string>;
  readonly shingles: ReadonlySet<number>;
}

export async function againstBruteForce(folder: string, runs: number): Promise<Row[]> {
  const documents = corpusDocuments(folder);
  // of any key: sets of shingles are the same under all, but for shingles that agree in 40 bits
  const identity = deriveIdentity(new Uint8Array(32).fill(3), 7);
  const { sketcher } = createKernel(identity.fingerprint, 'wasm');
  const read = createDocumentProcessor(identity, sketcher, (input) => extract(input, DEFAULT_EXTRACT_LIMITS));
  const contents = new Map<string, Known>();
  const byUrl = new Map<string, { known: Known; text: string }>();
  for (const { url, kind, path } of documents) {
    const contentType = kind === 'html' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
    const input = { bytes: readFileSync(path), contentType, select: null, remove: null, modulusMax: 1, keepText: true };
    const document = await read(input).catch(() => null);
    if (document === null) continue;
    const { contentDigest: id, sketch, text } = document;
    const known = contents.get(id) ?? { id, urls: new Set(), shingles: new Set(sketch.sample.fingerprints) };
    known.urls.add(url);
    contents.set(id, known);
    byUrl.set(url, { known, text: new TextDecoder().decode(text!) });
  }
  const holders = new Map<number, Known[]>();
  for (const known of contents.values()) {
    for (const shingle of known.shingles) {
      const list = holders.get(shingle);
      if (list === undefined) holders.set(shingle, [known]);
      else list.push(known);
    }
  }
  const service = await startService(LIMITS);
  let [asked, different, limited, parts] = [0, 0, 0, 0];
  const times: number[] = [];
  try {
    await bulk(
      service.client,
      [...byUrl].map(([url, { text }]) => ({ url, text })),
    );
    const step = Math.max(1, Math.floor(byUrl.size / runs));
    for (const [i, [url, { known, text }]] of [...byUrl].entries()) {
      if (i % step !== 0 || asked >= runs) continue;
      const began = performance.now();
      const answer = await composition(service, text, { limit: 100, minimumShare: SHARE, passages: false }, url);
      times.push(performance.now() - began);
      asked++;
      if (!answer.complete || answer.limits.length > 0 || answer.more) {
        limited++;
        continue;
      }
      const named = answer.parts.map(({ sources }) => sources[0]!.url);
      const expected = greedy(known.shingles, url, holders, named);
      const got = answer.parts.map(({ sources, share, unique }) => ({
        url: sources[0]!.url,
        share: share.estimate,
        unique: unique.estimate,
      }));
      parts += got.length;
      const isSame =
        got.length === expected.length &&
        got.every((part, at) => {
          const want = expected[at]!;
          return (
            want.equals.some(({ urls }) => urls.has(part.url)) &&
            Math.abs(part.share - want.share) < 1e-5 &&
            Math.abs(part.unique - want.unique) < 1e-5
          );
        });
      if (!isSame) different++;
    }
  } finally {
    await service.stop();
  }
  return [
    {
      row: `unlike brute force, of ${asked - limited} real documents`,
      value: different,
      unit: 'documents',
      target: '<= 0',
      note: `${parts} parts, ${documents.length} documents in the index`,
    },
    { row: '… of those asked, where a limit bit', value: limited, unit: 'documents' },
    { row: '… p50 with every shingle looked up', value: quantile(times, 0.5), unit: 'ms' },
  ];
}

/** @param named URLs of the answer: of contents that are equal here the id decides, which is another under another key */
function greedy(
  text: ReadonlySet<number>,
  ownUrl: string,
  holders: ReadonlyMap<number, readonly Known[]>,
  named: readonly string[],
) {
  const rest = new Set(text);
  const candidates = new Set<Known>();
  for (const shingle of text) {
    for (const known of holders.get(shingle) ?? [])
      if (known.urls.size > 1 || !known.urls.has(ownUrl)) candidates.add(known);
  }
  const steps: { share: number; unique: number; equals: Known[] }[] = [];
  for (;;) {
    const counted = [...candidates].map((known) => ({ known, gain: countIn(known.shingles, rest) }));
    const gain = counted.reduce((most, one) => Math.max(most, one.gain), 0);
    if (gain === 0 || gain < SHARE * text.size) return steps;
    const best = counted.filter((one) => one.gain === gain);
    const size = best.reduce((least, { known }) => Math.min(least, known.shingles.size), Number.POSITIVE_INFINITY);
    const equals = best.map(({ known }) => known).filter(({ shingles }) => shingles.size === size);
    const first = equals.find(({ urls }) => urls.has(named[steps.length] ?? '')) ?? equals[0];
    steps.push({ share: countIn(first!.shingles, text) / text.size, unique: gain / text.size, equals });
    for (const shingle of first!.shingles) rest.delete(shingle);
    candidates.delete(first!);
  }
}

function countIn(shingles: ReadonlySet<number>, of: ReadonlySet<number>): number {
  const [small, large] = shingles.size < of.size ? [shingles, of] : [of, shingles];
  let count = 0;
  for (const shingle of small) count += Number(large.has(shingle));
  return count;
}
