import { join } from 'node:path';
import type {
  ContentsTold,
  Corpus,
  CorpusContent,
  CorpusDocument,
  CorpusReading,
  CorpusSink,
} from '../../cluster/port.ts';
import { textGroups } from '../../cluster/text-groups.ts';
import { countMultiples } from '../../core/compare/sample-comparer.ts';
import { type ContentChoice, toldContentSteps } from '../../core/content/told-content.ts';
import { DIGEST_WORDS, DigestNumbers, digestWords } from '../../core/memory/digest-numbers.ts';
import { GrowingColumn, ownWords } from '../../core/memory/growing-column.ts';
import { runToEnd } from '../../core/memory/steps.ts';
import { keptSample } from '../../core/query/record-sample.ts';
import { FINGERPRINT_BITS, modulusFor, RECORD_SHINGLES_LEAST } from '../../core/sketch/modulus.ts';
import type { KeptSample } from '../../core/sketch/narrow.ts';
import { makeHostTemplate } from '../../core/template/host-template.ts';
import { HOST_VALUES_MAX } from '../../store/host-sample.ts';
import { NEW_INDEX } from '../../store/settings.ts';
import { HostPages } from './host-pages.ts';
import { TemplateFile } from './template-file.ts';
import { TextSpool } from './text-spool.ts';

/*
 * A corpus by the contents of its documents: their main texts, less what the pages of their hosts have in common.
 *
 *   texts with marks ─► spool ─────────────┬─ those that stand for a host, 64 at the most ─► its template, in a file
 *   documents ─► hosts (host-pages.ts) ────┘                                                       │
 *             └► as they are               spool, read once more ─► own content of each text  ◄────┘  ─► as texts
 *
 * A text has one content, by the template of one of its hosts, as in an index (service/content/document-content.ts). Where it
 * has none of its own, `main` compares it with nothing, and `auto` by the whole page. The rest of the way knows of nothing: a
 * text is what is left of it.
 *
 * Cost: some 3 ms a host, and 30 µs a text. Memory: that of the hosts' pages, and 40 bytes a text; the files take what records
 * take.
 */

/** Documents that come between two looks at the memory. */
const HOSTS_A_TURN = 16;
const NOTHING = new Float64Array(0);
const EMPTY: KeptSample = { modulus: 1, bits: FINGERPRINT_BITS, values: NOTHING, exactModulus: 1, exact: NOTHING };

export interface OwnContentsOptions {
  readonly by: Exclude<ContentChoice, 'page'>;
  /** Of files while the corpus is read. */
  readonly folder: string;
  /** By which URLs are hashed: that of the index key. */
  readonly rankKey: readonly [number, number];
}

/** The same corpus by the contents of its documents. @param corpus tells its texts with their marks */
export function byOwnContents(corpus: Corpus, options: OwnContentsOptions): Corpus {
  return {
    ...{ names: corpus.names, inputBytes: corpus.inputBytes, readingBytes: corpus.readingBytes },
    fingerprint: `${corpus.fingerprint} by content ${options.by}`,
    readInto: async (sink, told, signal) => {
      const { folder, rankKey, by } = options;
      const spool = await TextSpool.create(join(folder, 'whole-texts'));
      try {
        const templates = await TemplateFile.create(join(folder, 'templates'));
        try {
          const contents = new OwnContents(sink, { by, spool, templates, pages: new HostPages(rankKey) }, signal);
          const reading = await corpus.readInto(contents, told, signal);
          return { ...reading, contents: await contents.end() } satisfies CorpusReading;
        } finally {
          await templates.close();
        }
      } finally {
        await spool.close();
      }
    },
  };
}

interface Parts {
  readonly by: OwnContentsOptions['by'];
  readonly spool: TextSpool;
  readonly templates: TemplateFile;
  readonly pages: HostPages;
}

class OwnContents implements CorpusSink {
  private readonly sink: CorpusSink;
  private readonly parts: Parts;
  private readonly signal: AbortSignal | undefined;
  private readonly numbers = new DigestNumbers();
  /** The first words of the ids of texts. */
  private readonly idWords = new GrowingColumn(ownWords);
  private readonly counts = { read: 0, whole: 0, tooLittle: 0, notRead: 0, estimated: 0 };

  constructor(sink: CorpusSink, parts: Parts, signal: AbortSignal | undefined) {
    this.sink = sink;
    this.parts = parts;
    this.signal = signal;
  }

  contents(contents: readonly CorpusContent[]): number[] {
    const { spool } = this.parts;
    const words = new Float64Array(DIGEST_WORDS);
    return contents.map((content) => {
      digestWords(idOf(content), words, 0);
      const number = this.numbers.findOrAdd(words, 0, spool.count);
      if (number === spool.count) {
        spool.add(content);
        this.idWords.push(words[0]!);
      }
      return number;
    });
  }

  document(document: CorpusDocument): void {
    this.parts.pages.add(document);
    this.sink.document(document);
  }

  async room(heldBytes = 0): Promise<void> {
    const { spool, pages, templates } = this.parts;
    await spool.room();
    const own = spool.bytes + pages.bytes + templates.bytes + this.numbers.bytes + this.idWords.bytes;
    await this.sink.room(heldBytes + own);
  }

  /** All was brought: makes the templates, and brings the own content of each text. */
  async end(): Promise<ContentsTold> {
    const { by, spool, templates, pages } = this.parts;
    await spool.end();
    pages.end();
    for (let host = 1; host < pages.count; host++) {
      const template = makeHostTemplate(this.standingFor(host));
      if (template !== null) await templates.add(host, template);
      if (host % HOSTS_A_TURN === 0) await this.turn();
    }
    await templates.end();
    for (const group of textGroups(this.ownTexts(), ({ sample }) => sample)) {
      this.sink.contents(group);
      await this.turn();
    }
    return { by, templates: templates.count, ...this.counts };
  }

  private async turn(): Promise<void> {
    this.signal?.throwIfAborted();
    await this.room();
  }

  /** Of those that stand for a host, as many as an index would look at. */
  private standingFor(host: number) {
    const { spool, pages } = this.parts;
    const standing = [];
    let values = 0;
    for (const number of pages.standingFor(host, (one, other) => this.idWords.at(one) < this.idWords.at(other))) {
      if (values >= HOST_VALUES_MAX) break;
      const { sample, shingleCount, marks } = spool.read(number, false);
      values += countMultiples(sample, modulusFor(shingleCount, NEW_INDEX.recordModulusMax, RECORD_SHINGLES_LEAST));
      if (marks!.hasWords) standing.push({ sample, main: marks!.main });
    }
    return standing;
  }

  private *ownTexts(): Generator<CorpusContent, void, undefined> {
    const { spool, templates, pages } = this.parts;
    for (let number = 0; number < spool.count; number++)
      yield this.ownText(spool.read(number, true), templates.of(pages.hostOfContent(number)));
  }

  private ownText(text: CorpusContent, template: ReturnType<TemplateFile['of']>): CorpusContent {
    const { shingleCount, sample } = text;
    const id = idOf(text);
    const { main, own, unknown } = runToEnd(
      toldContentSteps({ main: text.marks!.main, shingleCount, sample }, template),
    );
    if (unknown !== null) {
      this.counts[unknown === 'not-read' ? 'notRead' : 'tooLittle']++;
      const page = { lexicalDigest: id, shingleDigest: text.shingleDigest, shingleCount };
      if (this.parts.by === 'auto') return { ...page, sample: narrowed(sample, shingleCount) };
      return { ...page, shingleDigest: id, sample: EMPTY };
    }
    this.counts[main === 'read' ? 'read' : 'whole']++;
    if (!own.isExact) this.counts.estimated++;
    const isPart = main === 'read' || template !== null;
    return {
      // of a part nothing says which others have the same set of shingles
      ...{ lexicalDigest: id, shingleDigest: isPart ? id : text.shingleDigest, shingleCount: own.shingleCount },
      sample: narrowed(own.sample, own.shingleCount),
      ...(isPart ? { part: own.isExact ? 'counted' : 'estimated' } : {}),
    };
  }
}

function idOf({ marks }: CorpusContent): string {
  if (marks === undefined) throw new TypeError('a text without its marks');
  return marks.id;
}

/** As a record has it, where all bits are at hand; of what was a record the bits that it has. */
function narrowed(sample: KeptSample, shingleCount: number): KeptSample {
  const { modulus, bits, values, exactModulus } = sample;
  if (bits < FINGERPRINT_BITS || exactModulus > modulus) return sample;
  return keptSample({ modulus, fingerprints: values }, shingleCount, NEW_INDEX.indexModulusMax);
}
