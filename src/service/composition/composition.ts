import { type NumberedFingerprints, numberSteps } from '../../core/composition/numbered.ts';
import { partShare, printPart, restShare } from '../../core/composition/part-share.ts';
import { ShingledError } from '../../errors.ts';
import { type Deadline, inTime } from '../../sharing/deadline.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { Content } from '../../store/port.ts';
import type { DocumentReference } from '../api.ts';
import { elapsedMs, type QueryContext, type ServiceContext } from '../context.ts';
import { isFeatureSet, onlyOfTexts } from '../document/feature-sets.ts';
import { checkWish, obtainAndAnswer, obtainReference } from '../document/obtain.ts';
import { describeQuery, type Query, readApart, readObtained } from '../document/query.ts';
import { ANSWER_MS, DEFAULT_MATCH_OPTIONS } from '../limits.ts';
import { checkMatchOptions, checkWhole } from '../options.ts';
import { sourceFilter } from '../similar/source-filter.ts';
import { createSourceReader, type SourceList } from '../similar/source-list.ts';
import { PARTS_MAX, QUOTED_WORDS_MAX, QUOTED_WORDS_MIN } from './composition-options.ts';
import type { CompositionAnswer, CompositionOptions, CompositionPart } from './composition-shapes.ts';
import { type Cover, type CoveredPart, type CoverOptions, coverText } from './cover-parts.ts';
import { findQuotations, findSources } from './find-contents.ts';
import { type LookUpTally, limitsOf, newTally } from './looked-up.ts';
import { partPassages } from './part-passages.ts';

/*
 * Made of: which contents of the index explain a text, as few of them as greed finds, and what none explains.
 *
 *   reference ─ resolve ─ query ─ find ─ contents that share enough ─ cover ─ parts with their shares ─ passages ─ answer
 *
 * What each adds to those before it (`unique`), and what is unexplained, sum to one: what several parts have counts for the
 * first of them. Stores nothing.
 */

/** @throws ShingledError as `similar` does */
export async function compose(
  context: ServiceContext,
  reference: DocumentReference,
  options: CompositionOptions,
  signal?: AbortSignal,
): Promise<CompositionAnswer> {
  const startedAt = performance.now();
  checkOptions(context, reference, options);
  const read = { keepText: options.passages || options.find === 'quotations', modulusMax: 1, wholeMax: 0 };
  const patience = { obtainMs: context.limits.deadlineMsMax, answerMs: ANSWER_MS };
  const obtain = async (deadline: Deadline) => {
    const timed = { ...context, deadline };
    return readApart(timed, await obtainReference(timed, reference, options.fetch), read);
  };
  return obtainAndAnswer(options.deadlineMs, patience, signal, obtain, (obtained, deadline) =>
    context.places.run(context.caller, { until: deadline }, async () => {
      const timed = { ...context, deadline };
      const query = await readObtained(timed, obtained, read);
      if (options.find === 'quotations' && isFeatureSet(query)) throw onlyOfTexts('find', 'quotations');
      const explained = await explainText(timed, query, options);
      const description = describeQuery(query, context.identity.fingerprintId);
      return { query: description, ...explained, elapsedMs: elapsedMs(startedAt) };
    }),
  );
}

function checkOptions(context: ServiceContext, reference: DocumentReference, options: CompositionOptions): void {
  const { minimumShare, minimumWords, limit, sourcesPerPart, include, exclude, only, fetch, deadlineMs } = options;
  const shared = { include, exclude, only, fetch, deadlineMs };
  checkMatchOptions({ ...DEFAULT_MATCH_OPTIONS, ...shared }, context.limits);
  checkWhole('limit', limit, 1, PARTS_MAX, 'partsMax');
  checkWhole('sourcesPerPart', sourcesPerPart, 1, context.limits.sourcesPerMatchMax, 'sourcesPerMatchMax');
  checkWhole('minimumWords', minimumWords, QUOTED_WORDS_MIN, QUOTED_WORDS_MAX, 'quotedWordsMax');
  if (!(minimumShare > 0 && minimumShare <= 1)) {
    const detail = 'minimumShare is a share above 0 and up to 1.';
    throw new ShingledError('invalid-request', detail, { field: 'minimumShare' });
  }
  checkWish(fetch, [reference]);
}

async function explainText(
  context: QueryContext,
  query: Query,
  options: CompositionOptions,
): Promise<Omit<CompositionAnswer, 'query' | 'elapsedMs'>> {
  const reader = await sourceReader(context, query, options);
  const text = await inTurns(numberSteps(query.sample), context.turns);
  const tally = newTally();
  const { cover, left, of } = await coverFor(context, query, text, options, reader.sourcesOf, tally);
  const { parts, sampled, covered, more, isLate } = cover;
  const shown: CompositionPart[] = [];
  for (const part of parts) {
    // an interval costs tens of microseconds
    if (context.turns.spent()) await context.turns.next();
    shown.push(printCovered(part, sampled, query.shingleCount));
  }
  const passages = options.passages ? await partPassages(context, query, parts, options.find) : null;
  const limits = limitsOf(tally);
  if (left > 0 || isLate) limits.push({ code: 'deadline', affected: Math.max(1, left), of: Math.max(1, of) });
  const uncounted = parts.filter(({ list }) => list.more && !list.cut).length;
  if (uncounted > 0) limits.push({ code: 'source-counts', affected: uncounted, of: parts.length });
  const short = parts.filter(({ list }) => list.short).length;
  if (short > 0) limits.push({ code: 'answer-bytes', affected: short, of: parts.length });
  if (reader.cut > 0) limits.push({ code: 'sources', affected: reader.cut, of: reader.read });
  if (passages !== null) limits.push(...passages.limits);
  // what was not read in time may have anything in it
  const chance = left > 0 || isLate ? 0 : Math.floor(tally.recall * 1e6) / 1e6;
  const isQuoted = options.find === 'quotations';
  return {
    parts: shown,
    more,
    unexplained: printPart(restShare(covered, sampled, query.shingleCount)),
    ...(passages?.passages ? { passages: passages.passages } : {}),
    recall: { share: isQuoted ? null : chance, words: isQuoted ? chance : null },
    complete: tally.complete && left === 0 && !isLate && reader.cut === 0,
    limits,
  };
}

async function coverFor(
  context: QueryContext,
  query: Query,
  text: NumberedFingerprints,
  { find, minimumShare, minimumWords, limit }: CompositionOptions,
  sourcesOf: CoverOptions['sourcesOf'],
  tally: LookUpTally,
): Promise<{ readonly cover: Cover; readonly left: number; readonly of: number }> {
  const { shingleSize } = context.identity.fingerprint;
  const quoted = Math.max(1, minimumWords - shingleSize + 1);
  const whole = query.document?.text ?? null;
  if (find === 'sources') {
    const gainLeast = (sampled: number) => Math.ceil(minimumShare * sampled * (1 - 1e-12));
    const shared = Math.max(1, Math.ceil(minimumShare * query.shingleCount * (1 - 1e-12)));
    const cover = await findSources(context, query, text, shared, { limit, gainLeast, sourcesOf }, tally);
    return { cover, left: 0, of: 1 };
  }
  // a third of a quotation, or of all that it has where a text repeats itself: less is what a copy has beyond another
  const gainLeast = (_sampled: number, modulus: number, covered: number) =>
    Math.min(Math.round(quoted / (3 * modulus)), Math.ceil(covered / 3));
  const options = { limit, gainLeast, sourcesOf };
  if (whole === null) {
    const asked = { ...options, gainLeast: (_sampled: number, modulus: number) => Math.ceil(quoted / modulus) };
    return { cover: await findSources(context, query, text, quoted, asked, tally), left: 0, of: 1 };
  }
  const { contents, left, of } = await findQuotations(context, query, whole, text, minimumWords, tally);
  return { cover: await coverText(context, text, contents, options), left, of };
}

/** Reads the sources of each content that would be a part, once. */
async function sourceReader(context: QueryContext, query: Query, options: CompositionOptions) {
  const filter = await sourceFilter(context, { ...options, groupBy: null }, query.url);
  const wish = { sourcesPerMatch: options.sourcesPerPart, bytesMax: context.limits.answerBytesMax };
  const read = createSourceReader(context, query, wish, filter);
  const known = new Map<string, SourceList>();
  return {
    get read() {
      return known.size;
    },
    get cut() {
      return [...known.values()].filter(({ cut }) => cut).length;
    },
    sourcesOf: async (content: Content): Promise<SourceList | null> => {
      const list = known.get(content.id) ?? (await inTime(() => read(content), context.deadline));
      if (list !== null) known.set(content.id, list);
      return list;
    },
  };
}

function printCovered({ record, list, whole, gain }: CoveredPart, sampled: number, shingles: number): CompositionPart {
  const { title, meta, sources, sourceCount, more } = list;
  return {
    share: printPart(partShare(whole, sampled, shingles)),
    unique: printPart(partShare(gain, sampled, shingles)),
    shingles: record.shingleCount,
    title,
    meta,
    sources,
    sourceCount,
    ...(more ? { moreSources: true } : {}),
  };
}
