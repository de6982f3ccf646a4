import { ShingledError } from '../../errors.ts';
import type { BulkOperation } from '../../service/api.ts';
import type { RefusedReason } from '../port.ts';
import { timeOf } from './dates.ts';
import { DATE_NAMES, type FieldNames, type Fields, type firstOf, isFields, type Path, pathsOf } from './field-names.ts';
import { metaReader } from './meta.ts';
import { nameReader } from './names.ts';
import { bodyReader } from './record-body.ts';
import { shown } from './shown.ts';

/*
 * From a record, whatever file it is of, to what is asked of the service.
 *
 *   {"op":"put","url":…,"text":…}           a line as POST /documents takes it, and as strictly; fields that are told
 *                                           outrank it
 *   {"_id":…,"_source":{…}}                 a hit of Elasticsearch: what is in _source
 *   {"url":…,"text":…,"date":…, …}          by the names of its fields, told or known
 *
 * A record without a URL is named by a prefix, if one is told: by the prefix and its id. Without an id, it is named by the
 * prefix, the name of the file and its own number, `https://a.example/pages.ndjson/12`. The same file names the same again.
 */

export interface RecordMapOptions {
  readonly fields: FieldNames;
  /** Before ids, and URLs without a host; null: none. */
  readonly urlPrefix: string | null;
  /** Whether a record is taken without its date if the field that was named for it holds none; absent: it is refused. */
  readonly areDatesSpare?: boolean;
  /** A line of a bulk request. @throws ShingledError */
  readonly bulkLine: (json: unknown) => BulkOperation;
}

/** What a record asks for, or why it asks for nothing. */
export type MappedRecord =
  | { readonly operation: BulkOperation }
  | { readonly refused: RefusedReason; readonly detail: string; readonly url: string | null };

/** Where a record stands, for one without a name. `record` counts from 1. */
export interface RecordPlace {
  readonly file: string;
  readonly record: number;
}

export interface RecordMap {
  readonly map: (record: unknown, place: RecordPlace) => MappedRecord;
  /** Whether one of these names is that of a field that is looked for, named by an option or known. */
  readonly knows: (names: readonly string[]) => boolean;
  /** The fields at the top that are looked at, of those of a file: columns that need not be read are left out. */
  readonly wanted: (names: readonly string[]) => string[];
}

/** @throws ShingledError `invalid-request` for a name of a field that is none */
export function createRecordMap({ fields, urlPrefix, bulkLine, areDatesSpare = false }: RecordMapOptions): RecordMap {
  const isDateless = fields.date === false;
  const isTold = Object.keys(fields).length > (isDateless ? 1 : 0);
  const names = nameReader(fields.url, urlPrefix);
  const dates = fields.date === false ? [] : pathsOf(fields.date, DATE_NAMES);
  const bodies = bodyReader(fields);
  const tops = new Set([...names.paths, ...dates, ...bodies.paths].flatMap(({ top, name }) => [top, name]));
  const isDateNeeded = typeof fields.date === 'string' && !areDatesSpare;
  const meta = metaReader(fields.meta, bodies.paths);

  /** A date that nobody named, or that is not needed, is left alone if it is none. */
  function dateOf(record: Fields): { path: Path; ms: number } | { refused: 'bad-field'; detail: string } | null {
    let unread: ReturnType<typeof firstOf> = null;
    for (const path of dates) {
      const value = path.of(record);
      if (value === undefined || value === null || value === '') continue;
      const ms = timeOf(value);
      if (ms !== null && (isDateNeeded || ms <= Date.now() + AHEAD_MS_MAX)) return { path, ms };
      unread ??= { path, value };
    }
    if (unread === null || !isDateNeeded) return null;
    const detail = `${unread.path.name} is no time from 1970 on: it is ${shown(unread.value)}.`;
    return { refused: 'bad-field', detail };
  }

  function mapFields(record: Fields, place: RecordPlace): MappedRecord {
    const named = names.of(record, place);
    if (named.url === null) return { refused: 'no-url', detail: named.detail, url: null };
    const { url } = named;
    const body = bodies.of(record);
    if ('refused' in body) return { ...body, url };
    const date = dateOf(record);
    if (date !== null && 'refused' in date) return { ...date, url };
    const kept = meta.of(record, [named.path, date?.path ?? null]);
    return { operation: { op: 'put', url, body, observedAt: date?.ms ?? null, meta: kept, ...NO_WISHES } };
  }

  return {
    map: (value, place) => {
      if (!isFields(value)) return { refused: 'malformed', detail: 'The record is no object.', url: null };
      const hit = Object.hasOwn(value, '_source') ? value['_source'] : undefined;
      const record = isFields(hit) ? { _id: value['_id'], ...hit } : value;
      if (!isTold && OPS.has(record['op']) && Object.hasOwn(record, 'url')) {
        return mapLine(isDateless ? dateless(record) : record, bulkLine, areDatesSpare);
      }
      return mapFields(record, place);
    },
    knows: (columns) => columns.some((column) => tops.has(column)),
    wanted: (columns) => columns.filter((column) => column === 'op' || tops.has(column) || meta.wants(column)),
  };
}

/** Clocks differ, and days begin at other times elsewhere. What is later was not seen then. */
const AHEAD_MS_MAX = 24 * 3_600_000;

const OPS: ReadonlySet<unknown> = new Set(['put', 'same', 'gone', 'delete']);
const NO_WISHES = { select: null, remove: null, similar: 0, unless: null };

/** Which of our reasons the field of a refused line is. */
const REASONS: Readonly<Record<string, RefusedReason>> = {
  url: 'no-url',
  text: 'no-text',
  html: 'no-text',
  features: 'no-text',
};

const dateless = ({ observedAt: _, ...others }: Fields): Fields => others;

function mapLine(record: Fields, bulkLine: RecordMapOptions['bulkLine'], isDateSpare: boolean): MappedRecord {
  try {
    return { operation: bulkLine(record) };
  } catch (error) {
    if (!(error instanceof ShingledError)) throw error;
    if (isDateSpare && error.field === 'observedAt') return mapLine(dateless(record), bulkLine, false);
    const url = typeof record['url'] === 'string' ? record['url'] : null;
    return { refused: REASONS[error.field ?? ''] ?? 'bad-field', detail: error.message, url };
  }
}
