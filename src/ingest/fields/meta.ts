import { Buffer } from 'node:buffer';
import type { PutRequest } from '../../service/api.ts';
import { type Fields, isFields, type Path, pathOf } from './field-names.ts';

/* What of a record is kept beside its document. */

type Meta = PutRequest['meta'];

/** Every field that is nothing else. */
const REST = '*';

interface MetaReader {
  /** @param taken the fields that said something else of this record */
  readonly of: (record: Fields, taken: readonly (Path | null)[]) => Meta;
  /** Whether a column of this name is looked at. */
  readonly wants: (column: string) => boolean;
}

/**
 * @param told names of fields, `*` among them or not; where not told, `meta` is taken if it is an object
 * @param bodies fields that hold documents, which are never kept
 */
export function metaReader(told: readonly string[] | undefined, bodies: readonly Path[]): MetaReader {
  if (told === undefined) {
    const of = (record: Fields) => (isFields(record['meta']) ? objectOf(record['meta']) : null);
    return { of, wants: (column) => column === 'meta' };
  }
  const paths = told.filter((name) => name !== REST).map(pathOf);
  const isRest = told.includes(REST);
  const documents = new Set(bodies.map(({ name }) => name));
  const of = (record: Fields, taken: readonly (Path | null)[]) => {
    const entries = paths.map(({ name, of: read }) => [name, read(record)] as const);
    if (isRest) {
      const others = Object.entries(record).filter(
        ([name]) => !documents.has(name) && !taken.some((path) => path?.top === name || path?.name === name),
      );
      entries.push(...others);
    }
    const kept = entries.filter(([, value]) => value !== undefined && value !== null);
    return kept.length === 0 ? null : objectOf(Object.fromEntries(kept));
  };
  const tops = new Set(paths.flatMap(({ top, name }) => [top, name]));
  return { of, wants: (column) => tops.has(column) || (isRest && !documents.has(column)) };
}

function objectOf(value: object): NonNullable<Meta> {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainOf(inner)])) as NonNullable<Meta>;
}

/** As JSON has it: Parquet has whole numbers beyond 2^53, dates and bytes. */
function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array, plainOf);
  if (Array.isArray(value)) return value.map(plainOf);
  return isFields(value) ? objectOf(value) : value;
}
