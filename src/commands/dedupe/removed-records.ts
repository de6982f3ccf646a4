import type { ClusterAnswers } from '../../cluster/result/cluster-answers.ts';
import type { RemovalLine } from '../../cluster/result/cluster-lines.ts';
import type { Keeping } from '../../cluster/result/removals.ts';
import type { Input } from '../../ingest/inputs/inputs.ts';
import type { Selection } from '../../ingest/rewrite/port.ts';
import type { RecordRange } from '../corpus-lines.ts';
import type { Judged } from './judged-corpus.ts';
import type { RecordPlace, RemovedLine } from './port.ts';
import { meantDocuments } from './revisits.ts';

/* Which records go, and the line that each of them has. */

export interface RemovedParts {
  readonly answers: ClusterAnswers;
  readonly judged: Judged;
  readonly inputs: readonly Input[];
  readonly threshold: number;
  readonly keeping: Keeping;
  readonly revisitsPath: string;
  readonly urlBytesMax: number;
}

/** The records of several files, counted through from 0. */
class Places {
  /** Of each file how many records come before it. */
  readonly starts: readonly number[];
  readonly records: number;
  private readonly names: readonly string[];

  /** @param ranges none: all are of the one name */
  constructor(names: readonly string[], ranges: readonly RecordRange[]) {
    this.names = names;
    let records = 0;
    this.starts = ranges.map((range) => {
      records += range.records;
      return records - range.records;
    });
    this.records = records;
  }

  of(record: number): RecordPlace {
    const { starts, names } = this;
    let [low, high] = [0, Math.max(0, starts.length - 1)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= record) low = middle;
      else high = middle - 1;
    }
    return { input: names[low]!, record: record - (starts[low] ?? 0) };
  }
}

export class RemovedRecords {
  /** Of each reason how many go. */
  readonly counts: Record<RemovedLine['reason'], number> = {
    ...{ 'same-text': 0, 'same-shingles': 0, 'near-copy': 0, revisit: 0 },
  };
  private readonly parts: RemovedParts;
  private readonly places: Places;
  private readonly fixedPlaces: Places | null;
  private readonly gone: Uint8Array;

  constructor(parts: RemovedParts) {
    this.parts = parts;
    const { ranges, fixed } = parts.judged;
    this.places = new Places(
      parts.inputs.map(({ name }) => name),
      ranges,
    );
    this.fixedPlaces = fixed === null ? null : new Places(fixed.names, fixed.ranges);
    this.gone = new Uint8Array(Math.ceil(this.places.records / 8));
  }

  /** Documents in the order of the input, then revisits. */
  async *lines(): AsyncGenerator<RemovedLine, void, undefined> {
    const { answers, threshold, keeping, revisitsPath, urlBytesMax } = this.parts;
    const { fixedCount } = keeping;
    const meant: { readonly document: number; readonly url: string; readonly record: number }[] = [];
    for await (const { revisit, document } of meantDocuments(revisitsPath, answers, fixedCount, urlBytesMax)) {
      meant.push({ document, url: revisit.url, record: revisit.record });
    }
    const isMeant = new Set(meant.map(({ document }) => document));
    const linesOfMeant = new Map<number, RemovedLine>();
    for (const { document, kept, line } of answers.removed(threshold, keeping)) {
      const removed: RemovedLine = {
        ...{ url: line.url, ...this.places.of(line.record) },
        ...this.keptPlaceOf(line, kept),
        ...{ reason: line.reason, resemblance: line.resemblance, inKept: line.inKept, keptIn: line.keptIn },
      };
      if (isMeant.has(document)) linesOfMeant.set(document, removed);
      yield this.noted(line.record, removed);
    }
    for (const { document, url, record } of meant) {
      const line = linesOfMeant.get(document);
      if (line === undefined) continue;
      yield this.noted(record, { ...line, url, ...this.places.of(record), reason: 'revisit' });
    }
  }

  /** Once all lines were asked for. */
  selection(): Selection {
    const { gone } = this;
    const { starts } = this.places;
    const { ranges } = this.parts.judged;
    const asked = ranges.map(() => 0);
    const keeps = (input: number, record: number) => {
      const { first, last, records } = ranges[input]!;
      // where there are blank lines, each line that is none is asked for, in order
      const nth = last - first + 1 === records ? record - first : asked[input]!++;
      const at = starts[input]! + nth;
      // a file that has grown has records behind the last one
      return record > last || (gone[Math.floor(at / 8)]! & (1 << (at % 8))) === 0;
    };
    return { keeps, lastRecords: ranges.map(({ last }) => last) };
  }

  private noted(record: number, line: RemovedLine): RemovedLine {
    this.gone[Math.floor(record / 8)]! |= 1 << (record % 8);
    this.counts[line.reason]++;
    return line;
  }

  private keptPlaceOf({ keptUrl, keptRecord }: RemovalLine, kept: number) {
    const places = kept < this.parts.keeping.fixedCount ? this.fixedPlaces! : this.places;
    const { input, record } = places.of(keptRecord);
    return { keptUrl, keptInput: input, keptRecord: record };
  }
}
