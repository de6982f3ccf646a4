import { ShingledError } from '../../errors.ts';
import { type Deadline, inTime } from '../../sharing/deadline.ts';
import type { Content } from '../../store/port.ts';
import type { ContentUnknown, DocumentReference } from '../api.ts';
import { elapsedMs, type QueryContext, type ServiceContext } from '../context.ts';
import { isFeatureSet, onlyOfTexts } from '../document/feature-sets.ts';
import { checkWish, obtainAndAnswer, obtainReference } from '../document/obtain.ts';
import { describeQuery, type Query, readApart, readObtained } from '../document/query.ts';
import { ANSWER_MS, DEFAULT_MATCH_OPTIONS } from '../limits.ts';
import { checkMatchOptions, checkWhole } from '../options.ts';
import { sourceFilter } from '../similar/source-filter.ts';
import { createSourceReader, type SourceList } from '../similar/source-list.ts';
import { AnswerTemplates } from '../templates.ts';
import { PARTS_MAX, QUOTED_WORDS_MAX, QUOTED_WORDS_MIN } from './composition-options.ts';
import type { CompositionAnswer, CompositionOptions, CompositionPart } from './composition-shapes.ts';
import { type Cover, type CoveredPart, type CoverOptions, coverText } from './cover-parts.ts';
import { type ExplainedText, PartContents, pageText } from './explained-text.ts';
import { findQuotations, findSources } from './find-contents.ts';
import { type LookUpTally, limitsOf, newTally } from './looked-up.ts';
import { figuresOf } from './part-figures.ts';
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
  within: QueryContext,
  query: Query,
  options: CompositionOptions,
): Promise<Omit<CompositionAnswer, 'query' | 'elapsedMs'>> {
  const templates = new AnswerTemplates(within.templates);
  const context: QueryContext = { ...within, templates };
  const reader = await sourceReader(context, query, options);
  const contents = new PartContents(context, query);
  const own = options.content === 'page' ? null : await contents.ownText(options.content);
  const text = own ?? (await pageText(context, query));
  const tally = newTally();
  const isNothing = own === null && options.content === 'main';
  const { cover, left, of } = isNothing
    ? { cover: nothingOf(text), left: 0, of: 1 }
    : await coverFor(context, query, text, options, reader.sourcesOf, tally);
  const { parts, more, isLate } = cover;
  const { page, told } = await figuresOf(context, query, contents, text, cover);
  const passages = options.passages ? await partPassages(context, query, parts, options.find) : null;
  const limits = limitsOf(tally);
  if (left > 0 || isLate) limits.push({ code: 'deadline', affected: Math.max(1, left), of: Math.max(1, of) });
  else if (told.text.contentUnknown === 'deadline') limits.push({ code: 'deadline', affected: 1, of: 1 });
  const uncounted = parts.filter(({ list }) => list.more && !list.cut).length;
  if (uncounted > 0) limits.push({ code: 'source-counts', affected: uncounted, of: parts.length });
  const short = parts.filter(({ list }) => list.short).length;
  if (short > 0) limits.push({ code: 'answer-bytes', affected: short, of: parts.length });
  if (reader.cut > 0) limits.push({ code: 'sources', affected: reader.cut, of: reader.read });
  if (passages !== null) limits.push(...passages.limits);
  limits.push(...templates.limits);
  return {
    ...told.text,
    ...(options.content === 'page' ? {} : { decidedBy: decidedBy(isNothing, text, told.text) }),
    parts: parts.map((part, i) => printCovered(part, page.each[i]!, told.parts[i]!)),
    more,
    unexplained: page.unexplained,
    ...(passages?.passages ? { passages: passages.passages } : {}),
    recall: isNothing ? { share: null, words: null } : recallOf(tally, left > 0 || isLate, options),
    complete:
      tally.complete && left === 0 && !isLate && reader.cut === 0 && (options.content === 'page' || !templates.isCut),
    limits,
  };
}
const nothingOf = ({ numbers }: ExplainedText): Cover => ({
  ...{ parts: [], sampled: numbers.size, covered: 0, more: false, isLate: false },
});

/** By which figures parts were chosen; of a text and parts that are all content both are the same. */
function decidedBy(isNothing: boolean, { by }: ExplainedText, { contentUnknown }: { contentUnknown?: ContentUnknown }) {
  if (isNothing) return null;
  return contentUnknown === 'whole' ? 'page' : by;
}

function recallOf({ recall }: LookUpTally, isLate: boolean, { find }: CompositionOptions): CompositionAnswer['recall'] {
  // what was not read in time may have anything in it
  const chance = isLate ? 0 : Math.floor(recall * 1e6) / 1e6;
  return find === 'quotations' ? { share: null, words: chance } : { share: chance, words: null };
}

async function coverFor(
  context: QueryContext,
  query: Query,
  text: ExplainedText,
  { find, minimumShare, minimumWords, limit }: CompositionOptions,
  sourcesOf: CoverOptions['sourcesOf'],
  tally: LookUpTally,
): Promise<{ readonly cover: Cover; readonly left: number; readonly of: number }> {
  const { shingleSize } = context.identity.fingerprint;
  const quoted = Math.max(1, minimumWords - shingleSize + 1);
  const whole = query.document?.text ?? null;
  if (find === 'sources') {
    const gainLeast = (sampled: number) => Math.ceil(minimumShare * sampled * (1 - 1e-12));
    const shared = Math.max(1, Math.ceil(minimumShare * text.shingleCount * (1 - 1e-12)));
    const cover = await findSources(context, text, shared, { limit, gainLeast, sourcesOf }, tally);
    return { cover, left: 0, of: 1 };
  }
  // a third of a quotation, or of all that it has where a text repeats itself: less is what a copy has beyond another
  const gainLeast = (_sampled: number, modulus: number, covered: number) =>
    Math.min(Math.round(quoted / (3 * modulus)), Math.ceil(covered / 3));
  const options = { limit, gainLeast, sourcesOf };
  if (whole === null) {
    const asked = { ...options, gainLeast: (_sampled: number, modulus: number) => Math.ceil(quoted / modulus) };
    return { cover: await findSources(context, text, quoted, asked, tally), left: 0, of: 1 };
  }
  const { contents, left, of } = await findQuotations(context, text, whole, minimumWords, tally);
  return { cover: await coverText(context, text.numbers, contents, options), left, of };
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

function printCovered(
  { record, list }: CoveredPart,
  figures: Pick<CompositionPart, 'share' | 'unique'>,
  content: Pick<CompositionPart, 'content' | 'contentUnknown'>,
): CompositionPart {
  const { title, meta, sources, sourceCount, more } = list;
  return {
    ...figures,
    shingles: record.shingleCount,
    ...content,
    title,
    meta,
    sources,
    sourceCount,
    ...(more ? { moreSources: true } : {}),
  };
}
