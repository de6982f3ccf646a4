import { coarsenBits } from '../../core/sketch/main-marks.ts';
import { coarsenCompared, wholeSample } from '../../core/sketch/narrow.ts';
import type { Deadline } from '../../sharing/deadline.ts';
import type { KnownSource } from '../../store/port.ts';
import type { DocumentBody, LimitReached } from '../api.ts';
import { contentWithout } from '../content/document-content.ts';
import type { TimedContext } from '../context.ts';
import { WHOLE_SHINGLES_MAX } from '../document/pair.ts';
import { identityOf, type KnownDocument } from '../document/query.ts';
import { AnswerTemplates } from '../templates.ts';
import { hostOf } from '../url.ts';
import { CaptionReader } from './captions/caption-words.ts';
import { isAsStored, isMissing, isWhole, type KnownResult, type ListedResult, reasonOf } from './listed-result.ts';

/*
 * What is known of each result of a list, the best there is:
 *
 *   its text or html  >  what the index has of its URL  >  what its URL shows, where it may be fetched
 *
 * and beside it the title and snippet that are shown of it. The index is read first and whatever the deadline says: it takes
 * milliseconds, and a list whose results are known is always answered. Bodies are read, and pages fetched, until the
 * deadline. What the index has stands in for a body that was not read by then.
 */

/** URLs whose rows are read at a time: an ordinary list in one read, and a list of books in parts. */
const KNOWN_A_PART = 128;
/**
 * Values of samples that are kept for one list, 16 MB. Of longer documents in long lists fewer are kept, of none under
 * 2,000. Bodies are known whole beside that (pair.ts), which BODY_BYTES_MAX bounds.
 */
const LIST_VALUES = 2 ** 21;
const LIMITS = ['deadline', 'unreadable'] as const;

export class ResultReader {
  readonly results: readonly ListedResult[];
  readonly #context: TimedContext;
  readonly #templates: AnswerTemplates;
  readonly #valuesMax: number;

  constructor(context: TimedContext, results: readonly ListedResult[]) {
    this.results = results;
    this.#context = context;
    this.#templates = new AnswerTemplates(context.templates);
    this.#valuesMax = LIST_VALUES / Math.max(1, results.length);
  }

  /** Reads what the index has of the URLs. @param withDates also when it first saw those of which a body was given */
  async readIndex(withDates: boolean, last: Deadline): Promise<void> {
    const wanted = this.results.filter(
      ({ given, page, seenAt }) => page !== null && (isAsStored(given) || (withDates && seenAt === null)),
    );
    await this.#readKnown(wanted, last, note);
  }

  /** Reads what the index has of the URLs whose bodies were not read in time: better than nothing. */
  async readIndexForLate(last: Deadline): Promise<void> {
    const late = this.results.filter(
      ({ given, page, known, reason }) => page !== null && known === null && reason === 'deadline' && isWhole(given),
    );
    await this.#readKnown(late, last, standIn);
  }

  async #readKnown(
    wanted: readonly ListedResult[],
    last: Deadline,
    note: (result: ListedResult, found: KnownSource | 'unreadable' | undefined) => void,
  ): Promise<void> {
    const { store, turns } = this.#context;
    const urls = [...new Set(wanted.map(({ page }) => page!.url))];
    const found = new Map<string, KnownSource | 'unreadable' | undefined>();
    for (let from = 0; from < urls.length; from += KNOWN_A_PART) {
      if (turns.spent()) await turns.next();
      const part = urls.slice(from, from + KNOWN_A_PART);
      const known = await last.race(store.getMany(part));
      for (const [i, one] of known.entries()) found.set(part[i]!, typeof one === 'object' ? this.#fitting(one) : one);
    }
    for (const result of wanted) note(result, found.get(result.page!.url));
  }

  /** Reads the bodies that were given, until the deadline. */
  readBodies(): Promise<void> {
    const given = this.results.filter((result) => result.given.body !== null);
    return this.#each(given, (result) => this.#read(result, 'body', result.given.body!));
  }

  /** Reads titles and snippets: so short that no deadline need cut them off. */
  async readCaptions(): Promise<void> {
    const { turns, deadline } = this.#context;
    const reader = new CaptionReader();
    for (const result of this.results) {
      const { title, snippet } = result.given;
      if (title === null && snippet === null) continue;
      if (turns.spent()) await turns.next();
      deadline.throwIfGivenUp();
      result.caption = reader.read(title, snippet);
    }
  }

  /** Tells the contents of what is known of the results. */
  async readContents(last: Deadline): Promise<void> {
    const { turns } = this.#context;
    const asking = { ...this.#context, deadline: last };
    for (const result of this.results) {
      const { known, page } = result;
      if (known === null || result.content !== null) continue;
      if (turns.spent()) await turns.next();
      const template = await this.#templates.templateOf(page === null ? null : hostOf(page.url), asking);
      result.content = await contentWithout(known, template, turns);
    }
  }

  /** Whether the deadline came before anything was known. */
  get isNothingInTime(): boolean {
    return (
      this.results.every(({ known, caption }) => known === null && caption === null) &&
      this.results.some(({ reason }) => reason === 'deadline')
    );
  }

  /** How many could not be had that a longer deadline, or a sound index, would have given. */
  get limits(): LimitReached[] {
    const unknown = LIMITS.flatMap((code) => {
      const affected = this.results.filter(({ reason }) => reason === code).length;
      return affected === 0 ? [] : [{ code, affected, of: this.results.length }];
    });
    return [...unknown, ...this.#templates.limits];
  }

  /** Whether more might be known by fetching. */
  get isAnyMissing(): boolean {
    return this.results.some(isMissing);
  }

  /** Fetches and reads the pages of results that are not known otherwise, until the deadline. */
  fetchMissing(): Promise<void> {
    const { fetcher, places, caller, requestId, deadline } = this.#context;
    const missing = this.results.filter(isMissing);
    for (const result of missing) result.reason = 'deadline';
    return this.#each(missing, async (result) => {
      const options = { purpose: 'look-up', caller, requestId, signal: deadline.signal } as const;
      const fetched = await deadline.race(fetcher.fetch(result.page!.url, options));
      if (fetched.httpStatus === 404 || fetched.httpStatus === 410) result.reason = 'fetch-failed';
      // waiting took no place, computing does
      else {
        const read = () => this.#read(result, 'fetch', fetched);
        await places.run(caller, { until: deadline, patient: true }, read);
      }
    });
  }

  /** Works on the results that are wanted, some at a time and in order, until the deadline; what fails is a reason. */
  async #each(wanted: readonly ListedResult[], work: (result: ListedResult) => Promise<void>): Promise<void> {
    const { turns, limits, deadline } = this.#context;
    let next = 0;
    const workOn = async (): Promise<void> => {
      while (next < wanted.length && !deadline.passed) {
        const result = wanted[next++]!;
        if (turns.spent()) await turns.next();
        try {
          await work(result);
        } catch (error) {
          deadline.throwIfGivenUp();
          if (!deadline.passed) result.reason = reasonOf(error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(wanted.length, limits.collapseInFlightMax) }, workOn));
    deadline.throwIfGivenUp();
  }

  async #read(result: ListedResult, from: KnownResult['from'], { bytes, contentType }: DocumentBody): Promise<void> {
    const { documents, store, caller, deadline } = this.#context;
    const { select, remove } = result.given;
    const { recordModulusMax: modulusMax } = store.description;
    // bodies are bounded by their bytes, what is fetched is not
    const wholeMax = from === 'fetch' ? Math.min(WHOLE_SHINGLES_MAX, this.#valuesMax) : WHOLE_SHINGLES_MAX;
    const input = { bytes, contentType, select, remove, keepText: false, modulusMax, wholeMax };
    const processed = await deadline.race(documents.process(input, { caller, signal: deadline.signal }));
    const { sketch, bytesDigest, shingleDigest } = processed;
    const { shingleCount, whole } = sketch;
    const { id, main: marked } = identityOf(processed);
    const { sample, main } = this.#coarsened({ shingleCount, sample: wholeSample(sketch.sample), main: marked });
    result.known = { from, bytesDigest, id, main, shingleDigest, shingleCount, sample, whole };
    result.reason = null;
  }

  #fitting({ source, content }: KnownSource): KnownSource {
    return { source, content: { ...content, ...this.#coarsened(content) } };
  }

  /** As much of a sample as is kept of a document in a list of this length, with the bits of just that. */
  #coarsened({ shingleCount, sample, main }: Pick<KnownDocument, 'shingleCount' | 'sample' | 'main'>) {
    let { modulus } = sample;
    while (shingleCount / modulus > this.#valuesMax) modulus *= 2;
    if (modulus === sample.modulus || main === null || main === 'not-read') {
      return { sample: coarsenCompared(sample, modulus), main };
    }
    const bits = coarsenBits({ modulus: sample.modulus, fingerprints: sample.values }, main.bits, modulus);
    return { sample: coarsenCompared(sample, modulus), main: { ...main, bits } };
  }
}

/** Its reason stays: the body was not read in time. */
function standIn(result: ListedResult, found: KnownSource | 'unreadable' | undefined): void {
  if (typeof found !== 'object') return;
  result.known = { ...found.content, from: 'index', bytesDigest: found.source.bytesDigest };
}

function note(result: ListedResult, found: KnownSource | 'unreadable' | undefined): void {
  if (typeof found === 'object') result.seenAt ??= found.source.firstSeen;
  if (found === undefined || !isAsStored(result.given)) return;
  result.reason = found === 'unreadable' ? 'unreadable' : null;
  if (found === 'unreadable') return;
  result.known = { ...found.content, from: 'index', bytesDigest: found.source.bytesDigest };
}
