import { Buffer } from 'node:buffer';
import type { IngestLimits } from '../limits.ts';
import type { IngestItem, SourceReader } from '../port.ts';
import { inRuns } from '../records/runs.ts';
import { Spots } from '../records/spots.ts';
import { baseOf } from './wanted.ts';
import { HEAD_BYTES, type ListDecoder, listDecoder } from './xml-charset.ts';
import { XmlEntries } from './xml-entries.ts';

/**
 * Sitemaps, their indexes, RSS and Atom. Read again from the beginning to go on: they may have 50 MB at the most.
 *
 * @param charset of a list that declares none; absent: UTF-8
 */
export function xmlListReader(
  limits: Pick<IngestLimits, 'addressBytesMax' | 'xmlDepthMax'>,
  charset?: string,
): SourceReader {
  return async function* items(bytes, from) {
    const spots = new Spots(bytes, from, 'from the beginning');
    const entries = new XmlEntries(limits, baseOf(bytes.file));
    let head: Buffer | null = Buffer.alloc(0);
    let decoder: ListDecoder | null = null;
    const decode = (chunk: Uint8Array, isLast: boolean): string => {
      if (head !== null) {
        head = Buffer.concat([head, chunk]);
        if (head.length < HEAD_BYTES && !isLast) return '';
        decoder = listDecoder(head, charset);
        const text = decoder.decode(head, { stream: !isLast });
        head = null;
        return text;
      }
      return decoder!.decode(chunk, { stream: !isLast });
    };
    function* ended(): Generator<IngestItem> {
      const all = entries.ended;
      entries.ended = [];
      for (const entry of all) {
        if (spots.pass(0)) yield { at: `entry ${spots.record}`, next: spots.next(), bytes: 0, ...entry };
      }
    }

    for await (const chunk of bytes.chunks) {
      const damage = spots.damage(chunk, `behind entry ${spots.record}`);
      if (damage !== null) yield [damage];
      entries.write(decode(chunk.bytes, false));
      yield* inRuns(ended());
    }
    entries.write(decode(Buffer.alloc(0), true));
    entries.end();
    yield* inRuns(ended());
  };
}
