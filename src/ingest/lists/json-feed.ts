import { Buffer } from 'node:buffer';
import { timeOf } from '../fields/dates.ts';
import { type Fields, isFields } from '../fields/field-names.ts';
import type { IngestLimits } from '../limits.ts';
import type { IngestItem, SourceReader } from '../port.ts';
import { JsonRecords } from '../records/json-lines.ts';
import { inRuns } from '../records/runs.ts';
import { Spots } from '../records/spots.ts';
import { baseOf, identifiedUrl, type WantedUrl, wantedUrl } from './wanted.ts';

/** How a JSON feed names itself. https://www.jsonfeed.org/version/1.1/ */
export const JSON_FEED_VERSION = 'https://jsonfeed.org/version/';

type FeedLimits = Pick<IngestLimits, 'feedBytesMax' | 'jsonDepthMax' | 'jsonValuesMax'>;

/** A JSON feed, read at once. */
export function jsonFeedReader(limits: FeedLimits): SourceReader {
  return async function* runs(bytes, from) {
    const spots = new Spots(bytes, from, 'from the beginning');
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of bytes.chunks) {
      const damage = spots.damage(chunk, 'the feed');
      if (damage !== null) yield [damage];
      length += chunk.bytes.length;
      if (length <= limits.feedBytesMax) pieces.push(Uint8Array.from(chunk.bytes));
    }
    const entries =
      length > limits.feedBytesMax
        ? [refusal('too-large', `The feed has more than ${limits.feedBytesMax} bytes.`)]
        : entriesOf(Buffer.concat(pieces), bytes.file, limits);
    function* items(): Generator<IngestItem, void, undefined> {
      for (const entry of entries) {
        if (spots.pass(0)) yield { at: `entry ${spots.record}`, next: spots.next(), bytes: 0, ...entry };
      }
    }

    yield* inRuns(items());
  };
}

type Entry = WantedUrl | ReturnType<typeof refusal>;

const refusal = (refused: 'malformed' | 'too-large', detail: string) => ({ refused, detail, url: null }) as const;

function entriesOf(bytes: Buffer, file: string, limits: FeedLimits): Entry[] {
  const record = new JsonRecords(limits).of(bytes);
  if ('refused' in record) return [record];
  const items = isFields(record.value) ? record.value['items'] : null;
  if (!Array.isArray(items)) return [refusal('malformed', 'It is no JSON feed: it has no list of items.')];
  return items.map((item: unknown) =>
    isFields(item) ? entryOf(item, baseOf(file)) : refusal('malformed', 'The item is no object.'),
  );
}

function entryOf(item: Fields, base: string | null): WantedUrl {
  const told = (name: string) => (typeof item[name] === 'string' ? item[name].trim() : '');
  const address = told('url') || told('external_url');
  const lastModified = timeOf(item['date_modified'] ?? item['date_published']);
  return address === '' ? identifiedUrl(told('id'), lastModified) : wantedUrl(address, base, lastModified);
}
