import { closeSync, openSync, readSync } from 'node:fs';
import { PairCounter } from '../../core/cluster/pair-counts.ts';
import { isCandidate, sharedLeast } from '../../core/cluster/pair-floor.ts';
import { pivotRank } from '../../core/cluster/pivots.ts';
import { ListFinder, listsOf, writeEntries } from '../../core/cluster/shingle-lists.ts';
import { decodeCompared } from '../../core/coding/sample-codec.ts';
import { createSampleComparer, type SampleComparer } from '../../core/compare/sample-comparer.ts';
import { newPairs, sortPairs } from '../../core/memory/radix-sort.ts';
import type { ComparedSample } from '../../core/sketch/narrow.ts';
import { readChunks, type SpillLayout, TOPS } from '../../spill/posting-spill.ts';
import { sharedWords } from '../corpus/shared-column.ts';
import { overlapOf, weightOf } from './evidence-of.ts';
import type {
  Counted,
  CountJob,
  EnterJob,
  Grouped,
  GroupJob,
  Job,
  ListedPart,
  PivotJob,
  Products,
  Verified,
  VerifyJob,
} from './pair-jobs.ts';

/* What a thread does of each job. */

/** Rows that are counted by one ticket. */
const ROWS = 1024;
/** Records that a thread holds, decoded: those of a family, or of a part of a large one. */
const RECORDS_BYTES = 64 * 2 ** 20;

export function work<K extends Job['kind']>(job: Extract<Job, { kind: K }>): Products[K];
export function work(job: Job): Products[Job['kind']] {
  switch (job.kind) {
    case 'group':
      return group(job);
    case 'pivot':
      return pivot(job);
    case 'enter':
      return enter(job);
    case 'count':
      return count(job);
    case 'verify':
      return verify(job);
  }
}

function* tickets(next: Int32Array, end: number): Generator<number, void, undefined> {
  for (let ticket = Atomics.add(next, 0, 1); ticket < end; ticket = Atomics.add(next, 0, 1)) yield ticket;
}

function group({ postings, nodes, next }: GroupJob): Grouped {
  const entries = sharedWords(nodes);
  const finder = new ListFinder(entries);
  const most = Math.max(...postings.counts);
  const [pairs, other] = [newPairs(most), newPairs(most)];
  const file = openSync(postings.path, 'r');
  try {
    for (const top of tickets(next, TOPS)) {
      const size = readTop(file, postings, top, pairs);
      const { keys, values } = sortPairs(pairs, other, size);
      finder.add(keys, values, size);
    }
  } finally {
    closeSync(file);
  }
  return { found: finder.end(), entries, counts: finder.counts };
}

function readTop(
  file: number,
  postings: SpillLayout,
  top: number,
  { keys, values }: ReturnType<typeof newPairs>,
): number {
  let size = 0;
  for (const { low, numbers } of readChunks(file, postings, top)) {
    keys.set(low, size);
    values.set(numbers, size);
    size += low.length;
  }
  return size;
}

function pivot({ found, entries, commonOf, nodes }: PivotJob): ListedPart {
  const { shingleCounts, postedLogs } = nodes;
  const rank = (node: number) => {
    const common = commonOf.reduce((sum, of) => sum + of[node]!, 0);
    // of a sample, more or less
    return pivotRank(node, Math.min(1, (common * 2 ** postedLogs[node]!) / shingleCounts[node]!));
  };
  return { lists: listsOf(found, rank, entries), entries };
}

function enter({ lists, starts, before, entries }: EnterJob): null {
  const next = starts.slice(0, -1);
  for (const other of before) for (let node = 0; node < next.length; node++) next[node]! += other[node]!;
  writeEntries(lists, next, entries);
  return null;
}

function count({ parts, starts, entries, nodes, by, floor, next }: CountJob): Counted {
  const counter = new PairCounter({ parts, starts, entries, nodes: nodes.count });
  const { shingleCounts, postedLogs } = nodes;
  const found = new PairColumns();
  let pairs = 0;
  for (const ticket of tickets(next, Math.ceil(nodes.count / ROWS))) {
    const end = Math.min(nodes.count, (ticket + 1) * ROWS);
    for (let a = ticket * ROWS; a < end; a++) {
      counter.row(a);
      pairs += counter.size;
      const [nA, logA] = [shingleCounts[a]!, postedLogs[a]!];
      const least = sharedLeast(nA, 2 ** logA, by, floor);
      for (let i = 0; i < counter.size; i++) {
        const b = counter.partners[i]!;
        const shared = counter.take(b);
        if (shared < least) continue;
        const modulus = 2 ** Math.max(logA, postedLogs[b]!);
        if (isCandidate(shared, modulus, nA, shingleCounts[b]!, by, floor)) found.push(a, b);
      }
    }
  }
  return { a: found.a.slice(0, found.size), b: found.b.slice(0, found.size), increments: counter.increments, pairs };
}

function verify({ a, b, ends, nodes, by, floor, next }: VerifyJob): Verified {
  const records = new Records(nodes);
  const found = new PairColumns();
  const shared: number[] = [];
  const weights: number[] = [];
  try {
    for (const ticket of tickets(next, ends.length)) {
      let comparer: SampleComparer | null = null;
      for (let i = ticket === 0 ? 0 : ends[ticket - 1]!; i < ends[ticket]!; i++) {
        const [one, other] = [a[i]!, b[i]!];
        if (comparer === null || a[i - 1] !== one) comparer = createSampleComparer(records.of(one));
        const overlap = comparer(records.of(other));
        const weight = weightOf(
          overlapOf(nodes, one, other, overlap),
          nodes.shingleCounts[one]!,
          nodes.shingleCounts[other]!,
          by,
        );
        if (weight < floor) continue;
        found.push(one, other);
        shared.push(overlap.shared);
        weights.push(weight);
      }
    }
  } finally {
    records.close();
  }
  return {
    ...{ a: found.a.slice(0, found.size), b: found.b.slice(0, found.size) },
    ...{ shared: Uint32Array.from(shared), weight: Float64Array.from(weights) },
  };
}

/** Records of nodes, of which some are kept decoded: the last ones that were asked for. */
class Records {
  private readonly nodes: VerifyJob['nodes'];
  private readonly file: number;
  private readonly kept = new Map<number, ComparedSample>();
  private bytes = 0;

  constructor(nodes: VerifyJob['nodes']) {
    this.nodes = nodes;
    this.file = openSync(nodes.recordsPath, 'r');
  }

  of(node: number): ComparedSample {
    const known = this.kept.get(node);
    if (known !== undefined) return known;
    const { recordStarts, recordsPath } = this.nodes;
    const bytes = Buffer.allocUnsafeSlow(recordStarts[node + 1]! - recordStarts[node]!);
    const read = readSync(this.file, bytes, 0, bytes.length, recordStarts[node]!);
    const sample = read === bytes.length ? decodeCompared(bytes, true) : undefined;
    if (sample === undefined) throw new Error(`Record ${node} of ${recordsPath} cannot be read.`);
    if (this.bytes > RECORDS_BYTES) {
      this.kept.clear();
      this.bytes = 0;
    }
    this.kept.set(node, sample);
    this.bytes += 8 * sample.values.length;
    return sample;
  }

  close(): void {
    closeSync(this.file);
  }
}

class PairColumns {
  size = 0;
  a = new Uint32Array(1024);
  b = new Uint32Array(1024);

  push(a: number, b: number): void {
    if (this.size === this.a.length) {
      this.a = grown(this.a);
      this.b = grown(this.b);
    }
    this.a[this.size] = a;
    this.b[this.size++] = b;
  }
}

function grown(column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * column.length);
  larger.set(column);
  return larger;
}
