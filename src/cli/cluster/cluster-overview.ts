import type { ClusterLine } from '../../cluster/result/cluster-lines.ts';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import type { SweepRow } from '../../core/cluster/threshold-sweep.ts';
import { count } from '../texts.ts';

/* Clusters for a person at a terminal, who does not want thousands of lines: how many there are, and the largest. */

/** Largest clusters that are shown of one threshold, and of each of several. */
const SHOWN_OF_ONE = 10;
const SHOWN_OF_EACH = 3;
const URLS_SHOWN = 3;

export interface Overview {
  readonly by: Likeness;
  /** A row for each threshold. */
  readonly sweep: readonly SweepRow[];
  /** The largest first. */
  readonly clustersOf: (threshold: number) => Iterable<ClusterLine>;
}

export function overviewText({ by, sweep, clustersOf }: Overview): string {
  const shown = sweep.length === 1 ? SHOWN_OF_ONE : SHOWN_OF_EACH;
  const parts = sweep.map(({ threshold, clusters, documents }) => {
    const head = `${by} ${threshold} or more: `;
    if (clusters === 0) return `${head}no clusters\n`;
    const largest = [...first(clustersOf(threshold), shown)].map(clusterText);
    const rest = clusters > shown ? [`   and ${several(clusters - shown, 'smaller cluster')}\n`] : [];
    const all = `${several(clusters, 'cluster')} of ${several(documents, 'document')}`;
    return [`${head}${all}\n`, ...largest, ...rest].join('\n');
  });
  return `${parts.join('\n')}\n${HOW_TO_GET_ALL}\n`;
}

const HOW_TO_GET_ALL = 'For all clusters: --json, --tsv, or send the output to a file or a pipe.';

function clusterText({ documents, texts, weakest, urls }: ClusterLine, at: number): string {
  const link = weakest === null ? 'one set of shingles' : `the weakest link is ${weakest.likeness}`;
  const named = urls.slice(0, URLS_SHOWN).map((url) => `   ${url}\n`);
  const more = urls.length > URLS_SHOWN ? `   and ${count(urls.length - URLS_SHOWN)} more\n` : '';
  return `${at + 1}. ${count(documents)} documents, ${several(texts, 'different text')}; ${link}\n${named.join('')}${more}`;
}

const several = (number: number, what: string) => `${count(number)} ${what}${number === 1 ? '' : 's'}`;

function* first<T>(all: Iterable<T>, number: number): Generator<T, void, undefined> {
  let taken = 0;
  for (const one of all) {
    yield one;
    if (++taken === number) return;
  }
}
