export type Environment = { readonly [name: string]: string | undefined };

/** What is set and has no effect: what was a setting once, and what looks like a misspelt one. */
export function warningsOf(environment: Environment, names: readonly string[]): string[] {
  const present = Object.keys(environment).filter((name) => environment[name] !== undefined);
  const removed = present.filter((name) => isRemoved(name) && environment[name] !== '');
  const others = present.filter((name) => !isRemoved(name));
  return [
    ...removed.map(
      (name) => `${name} is no setting any more and has no effect; it is fixed at ${REMOVED_SETTINGS[name]}`,
    ),
    ...similarNames(others, names).map(
      ([found, meant]) => `${found} is not a setting and has no effect; did you mean ${meant}?`,
    ),
  ];
}

const isRemoved = (name: string) => Object.hasOwn(REMOVED_SETTINGS, name);

/**
 * Names in the environment that look like a misspelt setting: `SHINGLESIZE`, `API_KEY`, `LOG_LEVLE`.
 *
 * A name is close when it is equal but for case and underscores, or one edit away (two from 8 letters on).
 *
 * @returns pairs of what is there and what was probably meant, sorted.
 */
function similarNames(present: readonly string[], known: readonly string[]): [found: string, meant: string][] {
  const isKnown = new Set(known);
  const pairs: [string, string][] = [];
  for (const found of present) {
    if (isKnown.has(found)) continue;
    const plain = plainName(found);
    const meant = known.find((name) => isClose(plain, plainName(name)));
    if (meant !== undefined) pairs.push([found, meant]);
  }
  return pairs.sort();
}

const plainName = (name: string) => name.toUpperCase().replaceAll(/[_-]/g, '');

function isClose(a: string, b: string): boolean {
  if (a === b) return true;
  const editsMax = b.length >= 8 ? 2 : b.length >= 6 ? 1 : 0;
  return editsMax > 0 && Math.abs(a.length - b.length) <= editsMax && editDistance(a, b) <= editsMax;
}

/** Damerau's distance with neighbours swapped as one edit (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, beforeLast[j - 2]! + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/** What was a setting once, and the value that it was fixed at: whoever still sets it is told. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  SKETCH_KERNEL: 'auto',
  WRITE_QUEUE_MAX: '2048',
  DISK_RETRY_MS: '1000',
  TARGET_BYTES_MAX: '8192',
  ANSWER_BYTES_MAX: '4194304',
  SCANS_MAX: '4',
  HEAD_BYTES_MAX: '16384',
  JSON_DEPTH_MAX: '64',
  JSON_VALUES_MAX: '20000',
  WORKERS_INLINE_FEATURES_BYTES_MAX: '65536',
  HEAD_TIMEOUT_MS: '10000',
  TIMEOUT_CHECK_MS: '1000',
  REQUESTS_PER_CONNECTION_MAX: '10000',
  BATCH_LINES_IN_FLIGHT_MAX: '8',
  BULK_LINES_IN_FLIGHT_MAX: '512',
  BULK_BYTES_IN_FLIGHT_MAX: '4194304',
  BULK_WAIT_MS: '30000',
  LIMIT_MAX: '1000',
  SOURCES_PER_MATCH_MAX: '1000',
  SOURCES_WANTED_MAX: '1000',
  SOURCE_COUNT_MAX: 'no limit',
  SOURCES_READ_MAX: '10000',
  EXAMINED_MAX: '100000',
  EXCLUDE_MAX: '1000',
  FORGET_MS: '20000',
  PASSAGES_MAX: '20',
  PUT_SIMILAR_MAX: '100',
  DEADLINE_MS_MAX: '60000',
  FUTURE_OBSERVED_MS: '86400000',
  COLLAPSE_RESULTS_MAX: '1000',
  COLLAPSE_IN_FLIGHT_MAX: '16',
  UPKEEP_WAIT_MS: '60000',
  SLICE_MS: '4',
  SWEEP_INTERVAL_MS: '60000',
  SWEEP_MAX: '1000',
  EXTRACT_TEXT_BYTES_MAX: '16777216, or twice EXTRACT_DOCUMENT_BYTES_MAX where that is more',
  EXTRACT_DEPTH_MAX: '512',
  EXTRACT_UNPACKED_BYTES_MAX: '268435456',
  EXTRACT_SELECTOR_CHARACTERS_MAX: '1000',
  WORKERS_INLINE_HTML_BYTES_MAX: '65536',
  WORKERS_INLINE_TEXT_BYTES_MAX: '262144',
  WORKERS_QUEUE_MAX: '64',
  FETCH_REDIRECTS_MAX: '5',
  FETCH_CONNECT_TIMEOUT_MS: '5000',
  FETCH_URL_BYTES_MAX: '8192',
  FETCH_RATIO_MAX: '200',
  FETCH_RATIO_FREE_BYTES: '262144',
  FETCH_HEADERS_BYTES_MAX: '16384',
  FETCH_INFORMATIONAL_MAX: '16',
  FETCH_WAITING_MAX: '128',
  FETCH_HOSTS_MAX: '10000',
  FETCH_FAILURES_MAX: '2000',
  FETCH_FAILURE_STEP_MS: '500',
  FETCH_ROBOTS_BYTES_MAX: '512000',
  FETCH_ROBOTS_MEMORY_MS: '86400000',
  COPIES_MAX: '10000',
  COPIES_PLACES: '10',
  COPIES_VALUES_MAX: '4194304',
  HOST_SOURCES_MAX: '20000',
  CLUSTER_KNOWN_MAX: '10000',
  CLUSTER_MS: '2000',
  CLUSTER_VALUES_MAX: '1048576',
  DIFFERENCES_SPANS_MAX: '10000',
  DIFFERENCES_TEXT_BYTES_MAX: '4194304',
  FETCH_ROBOTS_FAILURE_MEMORY_MS: '600000',
  FETCH_ROBOTS_HOSTS_MAX: '2000',
  FETCH_ROBOTS_MEMORY_BYTES_MAX: '8388608',
  FETCH_CRAWL_DELAY_MAX_MS: '30000',
};
