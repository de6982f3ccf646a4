import { createReadStream } from 'node:fs';
import { findInputs } from '../../../src/ingest/inputs/inputs.ts';
import type { IngestItem, ItemRuns, Position } from '../../../src/ingest/port.ts';
import type { IngestSources, OpenedInput } from '../../../src/ingest/sources.ts';

/*
 * Lines of a bulk request, from plain files: `{"op": "put", "url": …, "text": …}`, and for tests beside them
 *
 *   {"wanted": URL, "lastModified": ms or null}   a URL of a list
 *   {"list": URL}                                 a list of a list: the lines of the file that it names
 */

/** @param onRead called with the position behind each record that is given out */
export function bulkLineSources(onRead: (item: IngestItem) => void = () => undefined): IngestSources {
  async function* read(file: string, from: Position | null, input = 0): ItemRuns {
    let byte = from?.byte ?? 0;
    let record = from?.record ?? 0;
    let rest = Buffer.alloc(0);
    const itemOf = (line: Buffer): IngestItem => {
      byte += line.length + 1;
      record++;
      const place = { at: `line ${record}`, bytes: line.length, next: { input, file, byte, skip: 0, record } };
      const item = { ...place, ...contentOf(line) } as IngestItem;
      onRead(item);
      return item;
    };
    for await (const chunk of createReadStream(file, { start: byte })) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      let start = 0;
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
        yield [itemOf(rest.subarray(start, end))];
        start = end + 1;
      }
      rest = rest.subarray(start);
    }
    if (rest.length > 0) yield [itemOf(rest)];
  }
  return {
    find: findInputs,
    async *openInputs(inputs, _fields, from): AsyncGenerator<OpenedInput> {
      const first = from?.input ?? 0;
      for (const [at, { name }] of inputs.entries()) {
        if (at < first) continue;
        const bytesAhead = () => inputs.slice(at).reduce((sum, { size }) => sum + size!, 0);
        yield { input: name, bytesAhead, items: read(name, at === first ? from : null, at) };
      }
    },
    patternWords: () => [],
    marksOf: () => Promise.reject(new Error('nobody should look at this')),
    planRewrite: () => Promise.reject(new Error('nobody should copy this')),
    openList: (url) => read(url, null),
    fetchDocument: () => Promise.reject(new Error('nobody should fetch this')),
    close: async () => {},
  };
}

function contentOf(line: Buffer): object {
  let json: Record<string, string>;
  try {
    json = JSON.parse(line.toString());
  } catch {
    return { refused: 'malformed', detail: 'This is not JSON.', url: null };
  }
  if ('list' in json || 'wanted' in json) return { lastModified: null, ...json };
  const { op, url, text, observedAt } = json;
  if (op !== 'put') return { operation: { ...json, observedAt: null, httpStatus: 410 } };
  if (url === undefined) return { refused: 'no-url', detail: 'There is no url.', url: null };
  const body = { bytes: Buffer.from(text ?? ''), contentType: 'text/plain; charset=utf-8' };
  const none = { select: null, remove: null, meta: null, similar: 0, unless: null };
  const seenAt = observedAt === undefined ? null : Date.parse(observedAt);
  return { operation: { op, url, body, observedAt: seenAt, ...none } };
}
