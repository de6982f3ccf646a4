import { closeSync, openSync, readSync } from 'node:fs';
import { decodeCompared } from '../../../core/coding/sample-codec.ts';
import type { ComparedSample } from '../../../core/sketch/narrow.ts';
import { bitsOfRecord, isPosted, type NodeTable, SAMPLED_MODULI } from '../../corpus/node-table.ts';
import { unreadable } from '../../durable-files.ts';
import { type RecoveredValues, valuesOf } from './recovered-values.ts';

/** Records that a thread holds, decoded: those of a family, or of a part of a large one. */
export const RECORDS_BYTES = 16 * 2 ** 20;

/** Records of nodes, of which some are kept decoded: the last ones that were asked for. */
export class Records {
  private readonly nodes: NodeTable;
  private readonly recovered: RecoveredValues;
  private readonly file: number;
  private readonly kept = new Map<number, ComparedSample>();
  private keptBytes = 0;
  private buffer = Buffer.allocUnsafeSlow(4096);

  /** @param recovered of nodes that have no record @throws ShingledError `result-damaged` */
  constructor(nodes: NodeTable, recovered: RecoveredValues) {
    this.nodes = nodes;
    this.recovered = recovered;
    try {
      this.file = openSync(nodes.recordsPath, 'r');
    } catch (cause) {
      throw unreadable(nodes.recordsPath, cause);
    }
  }

  /** @throws ShingledError `result-damaged` */
  of(node: number): ComparedSample {
    const known = this.kept.get(node);
    if (known !== undefined) return known;
    const sample = isPosted(this.nodes, node) ? this.recoveredOf(node) : this.decoded(node);
    if (this.keptBytes > RECORDS_BYTES) {
      this.kept.clear();
      this.keptBytes = 0;
    }
    this.kept.set(node, sample);
    this.keptBytes += 8 * sample.values.length;
    return sample;
  }

  close(): void {
    closeSync(this.file);
  }

  private recoveredOf(node: number): ComparedSample {
    const { recordLogs, recordBits, sampled } = this.nodes;
    const values = valuesOf(this.recovered, node, sampled[SAMPLED_MODULI * node]!);
    return { modulus: 2 ** recordLogs[node]!, bits: bitsOfRecord(recordBits[node]!), values };
  }

  private decoded(node: number): ComparedSample {
    const sample = decodeCompared(this.read(node), true);
    if (sample === undefined) throw unreadable(this.nodes.recordsPath, new Error(`record ${node} is none`));
    return sample;
  }

  /** In memory that the next one uses again. */
  private read(node: number): Buffer {
    const { recordStarts, recordsPath } = this.nodes;
    const length = recordStarts[node + 1]! - recordStarts[node]!;
    if (length > this.buffer.length) this.buffer = Buffer.allocUnsafeSlow(2 * length);
    let read: number;
    try {
      read = readSync(this.file, this.buffer, 0, length, recordStarts[node]!);
    } catch (cause) {
      throw unreadable(recordsPath, cause);
    }
    if (read < length) throw unreadable(recordsPath, new Error(`record ${node} is cut off`));
    return this.buffer.subarray(0, length);
  }
}
