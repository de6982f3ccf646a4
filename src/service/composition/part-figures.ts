import { falseDensityOf } from '../../core/compare/fingerprint-index.ts';
import type { NumberedFingerprints } from '../../core/composition/numbered.ts';
import { type PartShare, partShare, printPart, restShare } from '../../core/composition/part-share.ts';
import { inTime } from '../../sharing/deadline.ts';
import type { ContentUnknown } from '../api.ts';
import { type DocumentContent, describeOwn, isWholePage } from '../content/document-content.ts';
import type { QueryContext } from '../context.ts';
import type { Query } from '../document/query.ts';
import type { CompositionAnswer, CompositionPart } from './composition-shapes.ts';
import type { Cover, CoveredPart } from './cover-parts.ts';
import { type ExplainedText, type PartContents, pageText } from './explained-text.ts';

/*
 * How much of a text each part explains, of the whole page and of what the text says by itself. Parts are chosen by one of the
 * two. For the other, the same parts in the same order are told with what they have and add there.
 */

type Told = Pick<CompositionPart, 'share' | 'unique'>;

interface Figures {
  readonly each: readonly Told[];
  readonly unexplained: PartShare;
}

/** What is told of contents: of the text, and of each part. */
interface ContentsTold {
  readonly text: Pick<CompositionAnswer, 'content' | 'contentUnknown'>;
  readonly parts: readonly Pick<CompositionPart, 'content' | 'contentUnknown'>[];
}

export async function figuresOf(
  context: QueryContext,
  query: Query,
  contents: PartContents,
  text: ExplainedText,
  cover: Cover,
): Promise<{ readonly page: Figures; readonly told: ContentsTold }> {
  const decided = await print(context, text, {
    ...cover,
    parts: cover.parts.map((part) => ({ ...part, falseDensity: densityOf(part) })),
  });
  const page = text.by === 'page' ? decided : await otherFigures(context, await pageText(context, query), cover.parts);
  const byContent = async () => {
    const own = text.by === 'content' ? text : await contents.ownText('auto');
    const figures = own === text ? decided : own && (await otherFigures(context, own, cover.parts));
    return tellContents(context, contents, cover.parts, own, figures);
  };
  // the figures by which the parts were chosen are known already
  const told = text.by === 'content' ? await byContent() : await inTime(byContent, context.deadline);
  return { page, told: told ?? unknown('deadline', cover.parts) };
}

const unknown = (contentUnknown: ContentUnknown, parts: readonly unknown[]): ContentsTold => ({
  text: { content: null, contentUnknown },
  parts: parts.map(() => ({ content: null, contentUnknown })),
});

async function tellContents(
  { turns }: QueryContext,
  contents: PartContents,
  parts: readonly CoveredPart[],
  text: ExplainedText | null,
  figures: Figures | null,
): Promise<ContentsTold> {
  const ofText = await contents.ofText();
  if (text === null || figures === null) return unknown(ofText.unknown!, parts);
  const ofParts: DocumentContent[] = [];
  for (const { record } of parts) {
    if (turns.spent()) await turns.next();
    ofParts.push(await contents.of(record));
  }
  if ([ofText, ...ofParts].every(isWholePage)) return unknown('whole', parts);
  const { unexplained, each } = figures;
  return {
    text: { content: { ...describeOwn(ofText), shingles: ofText.own.shingleCount, unexplained } },
    parts: ofParts.map((content, i) =>
      content.unknown === null
        ? { content: { ...each[i]!, ...describeOwn(content), shingles: content.own.shingleCount } }
        : { content: null, contentUnknown: content.unknown },
    ),
  };
}

/** Figures of a text by which the parts were not chosen. */
async function otherFigures(
  context: QueryContext,
  text: ExplainedText,
  parts: readonly CoveredPart[],
): Promise<Figures> {
  const { numbers } = text;
  const explainers = await text.explainersOf(parts.map(({ record }) => record));
  const held = parts.map(({ quoted }, i) => {
    const { sample, modulus } = explainers[i]!;
    const falseDensity = densityOf({ sample, quoted });
    if (quoted === null) return { modulus, falseDensity, covered: numbers.numbersIn(sample) };
    const words = numbers.numbersIn(quoted);
    const told = Math.max(numbers.modulus, quoted.modulus);
    // of a page all that it has in these places is quoted
    if (text.by === 'page') return { modulus: told, falseDensity, covered: words };
    const own = new Set(numbers.numbersIn(sample));
    return { modulus: Math.max(told, modulus), falseDensity, covered: words.filter((number) => own.has(number)) };
  });
  return print(context, text, inOrder(numbers, held));
}

/** Of what a part is known by: a quotation by the words of the text itself. */
const densityOf = ({ sample, quoted }: Pick<CoveredPart, 'sample' | 'quoted'>) =>
  quoted === null ? falseDensityOf(sample) : 0;

interface Held {
  readonly modulus: number;
  readonly falseDensity: number;
  /** Numbers of the text's fingerprints, each once. */
  readonly covered: Uint32Array;
}

/** What each part has and adds, at the coarsest modulus at which one of them tells of the text. */
function inOrder(numbers: NumberedFingerprints, held: readonly Held[]) {
  const modulus = held.reduce((most, part) => Math.max(most, part.modulus), numbers.modulus);
  const isCovered = new Uint8Array(numbers.size);
  let covered = 0;
  const parts = held.map((part) => {
    const own = numbers.atModulus(part.covered, modulus);
    const before = covered;
    for (const number of own) {
      covered += 1 - isCovered[number]!;
      isCovered[number] = 1;
    }
    return { whole: own.length, gain: covered - before, falseDensity: part.falseDensity };
  });
  return { parts, sampled: numbers.countAt(modulus), covered };
}

type PartCounts = Pick<CoveredPart, 'whole' | 'gain'> & Pick<Held, 'falseDensity'>;

async function print(
  { turns }: QueryContext,
  { shingleCount }: ExplainedText,
  {
    parts,
    sampled,
    covered,
  }: {
    readonly parts: readonly PartCounts[];
    readonly sampled: number;
    readonly covered: number;
  },
): Promise<Figures> {
  const share = (count: number, density: number) => printPart(partShare(count, sampled, shingleCount, density));
  const each: Told[] = [];
  for (const { whole, gain, falseDensity } of parts) {
    // an interval costs tens of microseconds
    if (turns.spent()) await turns.next();
    each.push({ share: share(whole, falseDensity), unique: share(gain, falseDensity) });
  }
  const density = parts.reduce((sum, { falseDensity }) => sum + falseDensity, 0);
  return { each, unexplained: printPart(restShare(covered, sampled, shingleCount, density)) };
}
