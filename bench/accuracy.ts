/*
 * How right the answers are: every page of a folder with exact truth is indexed and then asked over the HTTP API, by its
 * body, which is known whole, and by its URL, of which the index knows a sample, under three index keys. Prints recall and
 * precision of resemblance, of containment where resemblance is low, the errors of the estimates, the coverage of the
 * intervals, and the recall of the clusters that the answers imply.
 *
 *     npm run accuracy -- FOLDER [--keys 3] [--json]
 *
 * Pairs are counted in order: page a was asked, did page b come back? Pages too short for a shingle take no part.
 */
import { readFileSync } from 'node:fs';
import type { EstimatedShare, SimilarAnswer } from '../src/service/api.ts';
import { type CorpusDocument, corpusDocuments, Truth } from './support/corpus.ts';
import { bulk, call, inParallel, type ServiceProcess, startService } from './support/service-process.ts';
import { printRows, type Row } from './support/table.ts';

interface Reported {
  readonly resemblance: EstimatedShare;
  readonly queryInMatch: EstimatedShare;
  readonly matchInQuery: EstimatedShare;
}

/** What came back for every page asked: page index -> page index -> shares. */
type Answers = Map<number, Map<number, Reported>>;

const folder = process.argv[2];
if (folder === undefined || folder.startsWith('--')) throw new Error('usage: npm run accuracy -- FOLDER [--keys 3]');
const keysFlag = process.argv.indexOf('--keys');
const keys = keysFlag === -1 ? 3 : Number(process.argv[keysFlag + 1]);
const documents = corpusDocuments(folder);
const truth = new Truth(folder);

type Figures = Record<string, number>;
type Way = 'body' | 'URL';

const figures: Record<Way, Figures[]> = { body: [], URL: [] };
for (let key = 0; key < keys; key++) await measureOnce();
for (const way of ['body', 'URL'] as const)
  printRows(`Accuracy on ${documents.length} pages, asked by ${way}; worst of ${keys} index keys`, rows(figures[way]));

async function measureOnce(): Promise<void> {
  const service = await startService({ SHINGLE_SIZE: '10' });
  try {
    await bulk(service.client, pages());
    for (const way of ['body', 'URL'] as const) figures[way].push(await measure(service, way));
  } finally {
    await service.stop();
  }
}

async function measure(service: ServiceProcess, way: Way): Promise<Figures> {
  const decided = await ask(service, way, 'resemblance=0.5&queryInMatch=0.8&matchInQuery=0.8');
  const included = await ask(service, way, 'resemblance=0.5&queryInMatch=0.8&matchInQuery=0.8&undecided=include');
  const wide = await ask(service, way, 'resemblance=0.1&queryInMatch=off');
  return {
    ...resemblanceAt(decided, 0.5),
    containedRecall: containedRecall(decided, (share) => share.estimate >= 0.8),
    containedRecallUndecided: containedRecall(included, (share) => share.decision !== 'no'),
    ...errors(wide),
    clusterRecall: clusterRecall(decided, 0.5),
  };
}

function* pages(): Generator<{ url: string; html?: string; text?: string }> {
  for (const { url, kind, path } of documents) yield { url, [kind]: readFileSync(path, 'utf8') };
}

async function ask(service: ServiceProcess, way: Way, options: string): Promise<Answers> {
  const answers: Answers = new Map();
  await inParallel(documents, 4, async (document: CorpusDocument) => {
    const asked = truth.indexOf(document.url);
    if (asked === undefined || !truth.hasShingles[asked]) return;
    const path = `/similar?${options}&limit=1000&sourcesPerMatch=1000&deadlineMs=10000&url=${encodeURIComponent(document.url)}`;
    const type = document.kind === 'html' ? 'text/html' : 'text/plain';
    const answer =
      way === 'URL'
        ? await call<SimilarAnswer>(service.client, 'GET', path)
        : await call<SimilarAnswer>(service.client, 'POST', path, { type, data: readFileSync(document.path) });
    const reported = new Map<number, Reported>();
    for (const match of answer.matches) {
      for (const source of match.sources) {
        const index = truth.indexOf(source.url);
        if (index !== undefined && truth.hasShingles[index]) reported.set(index, match);
      }
    }
    answers.set(asked, reported);
  });
  return answers;
}

function resemblanceAt(answers: Answers, threshold: number): { recall: number; precision: number } {
  let found = 0;
  let right = 0;
  let wanted = 0;
  for (const [asked, reported] of answers) {
    for (const [other, { resemblance }] of reported) {
      if (resemblance.estimate < threshold) continue;
      found++;
      if (truth.pair(asked, other).r >= threshold) right++;
    }
    for (const [, pair] of truth.neighbours(asked)) if (pair.r >= threshold) wanted++;
  }
  return { recall: right / wanted, precision: right / found };
}

/** Of the ordered pairs with at least .8 of one in the other and a resemblance under .5, the share that came back. */
function containedRecall(answers: Answers, accepted: (share: EstimatedShare) => boolean): number {
  let wanted = 0;
  let right = 0;
  for (const [asked, reported] of answers) {
    for (const [other, pair] of truth.neighbours(asked)) {
      if (pair.r >= 0.5) continue;
      const answer = reported.get(other);
      for (const [exact, share] of [
        [pair.aInB, answer?.queryInMatch],
        [pair.bInA, answer?.matchInQuery],
      ] as const) {
        if (exact < 0.8) continue;
        wanted++;
        if (share !== undefined && accepted(share)) right++;
      }
    }
  }
  return right / wanted;
}

function errors(answers: Answers): { rmseResemblance: number; rmseContainment: number; coverage: number } {
  let squaresR = 0;
  let squaresC = 0;
  let covered = 0;
  let pairs = 0;
  for (const [asked, reported] of answers) {
    for (const [other, shares] of reported) {
      const pair = truth.pair(asked, other);
      if (pair.r < 0.1) continue;
      pairs++;
      squaresR += (shares.resemblance.estimate - pair.r) ** 2;
      squaresC += (shares.queryInMatch.estimate - pair.aInB) ** 2 + (shares.matchInQuery.estimate - pair.bInA) ** 2;
      for (const [exact, share] of [
        [pair.r, shares.resemblance],
        [pair.aInB, shares.queryInMatch],
        [pair.bInA, shares.matchInQuery],
      ] as const) {
        if (share.low <= exact + 1e-9 && exact - 1e-9 <= share.high) covered++;
      }
    }
  }
  return {
    rmseResemblance: Math.sqrt(squaresR / pairs),
    rmseContainment: Math.sqrt(squaresC / (2 * pairs)),
    coverage: covered / (3 * pairs),
  };
}

/** Of the page pairs that lie in one cluster by truth, the share that lies in one cluster by what was reported. */
function clusterRecall(answers: Answers, threshold: number): number {
  const exact = truth.urls.map((_, index) => index);
  const estimated = [...exact];
  for (const [asked, reported] of answers) {
    for (const [other, pair] of truth.neighbours(asked)) if (pair.r >= threshold) link(exact, asked, other);
    for (const [other, { resemblance }] of reported) {
      if (resemblance.estimate >= threshold) link(estimated, asked, other);
    }
  }
  const both = exact.map((_, index) => `${root(exact, index)} ${root(estimated, index)}`);
  return pairsWithin(both) / pairsWithin(exact.map((_, index) => String(root(exact, index))));
}

function root(parents: number[], node: number): number {
  let at = node;
  while (parents[at] !== at) {
    parents[at] = parents[parents[at]!]!;
    at = parents[at]!;
  }
  return at;
}

function link(parents: number[], a: number, b: number): void {
  parents[root(parents, a)] = root(parents, b);
}

function pairsWithin(groups: readonly string[]): number {
  const sizes = new Map<string, number>();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  let pairs = 0;
  for (const size of sizes.values()) pairs += (size * (size - 1)) / 2;
  return pairs;
}

function rows(all: readonly Figures[]): Row[] {
  const row = (name: string, label: string, target: string): Row => {
    const values = all.map((one) => one[name]!);
    const [minimum, maximum] = [Math.min(...values), Math.max(...values)];
    return { row: label, value: target.startsWith('>=') ? minimum : maximum, unit: '', minimum, maximum, target };
  };
  return [
    row('recall', 'recall at r >= .5', '>= 0.997'),
    row('precision', 'precision at r >= .5', '>= 0.997'),
    row('rmseResemblance', 'RMSE of r, pairs with r >= .1', '<= 0.010'),
    row('rmseContainment', 'RMSE of containment, the same pairs', '<= 0.010'),
    row('containedRecall', 'containment >= .8 while r < .5: recall by the estimate', '>= 0.96'),
    row('containedRecallUndecided', '… with undecided matches included', '>= 0.99'),
    row('coverage', '95 % intervals that cover the truth, pairs with r >= .1', '>= 0.95'),
    row('clusterRecall', 'co-clustered pairs at .5: recall', '>= 0.99'),
  ];
}
