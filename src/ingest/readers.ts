import { decodedBytes } from './decode/decoded-bytes.ts';
import type { RecordMap } from './fields/record-map.ts';
import type { ByteFormat } from './inputs/detect.ts';
import { documentReader } from './inputs/document-file.ts';
import type { IngestLimits } from './limits.ts';
import { jsonFeedReader } from './lists/json-feed.ts';
import { urlListReader } from './lists/url-list.ts';
import { xmlListReader } from './lists/xml-lists.ts';
import type { SourceReader } from './port.ts';
import { jsonLinesReader } from './records/json-lines.ts';
import { jsonListReader } from './records/json-list.ts';
import { csvReader } from './records/tables/csv.ts';
import { dialectOf, type TableOptions } from './records/tables/dialect.ts';

export interface ReaderParts {
  readonly map: RecordMap;
  readonly limits: IngestLimits;
  /** How tables are written, where it was told. */
  readonly table: TableOptions;
  /** Of a file that is a document. */
  readonly urlPrefix: string | null;
  readonly mtimeMs: number | null;
}

/** The reader of a file's bytes. Parquet is none of them, since it is read from its end; archives have their own. */
export function readerOf(detected: ByteFormat, parts: ReaderParts): SourceReader {
  const { format, charset } = detected;
  const read = utf8ReaderOf(detected, parts);
  // these decode by themselves what they read
  if (charset === undefined || format === 'document' || format === 'xml-list') return read;
  const { recordBytesMax } = parts.limits;
  return (bytes, from) => read(decodedBytes(bytes, charset, from?.byte ?? 0, recordBytesMax), from);
}

function utf8ReaderOf(detected: ByteFormat, { map, limits, table, urlPrefix, mtimeMs }: ReaderParts): SourceReader {
  switch (detected.format) {
    case 'ndjson':
      return jsonLinesReader(map, limits);
    case 'json':
      return jsonListReader(map, limits);
    case 'csv':
      return csvReader(map, dialectOf(detected.signs, table), limits);
    case 'urls':
      return urlListReader(limits);
    case 'xml-list':
      return xmlListReader(limits, detected.charset);
    case 'json-feed':
      return jsonFeedReader(limits);
    case 'document':
      return documentReader({ urlPrefix, mtimeMs }, limits);
  }
}
