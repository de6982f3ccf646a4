import { type Fields, ID_NAMES, type Path, pathOf, URL_NAMES } from './field-names.ts';
import { fieldsShown, shown } from './shown.ts';
import { underPrefix } from './url-prefix.ts';

/* The URL of a record: what it says, what it says behind a prefix, or its place behind a prefix. */

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;

interface NamedRecord {
  readonly url: string;
  /** The field that named it; null: its place did. */
  readonly path: Path | null;
}

export interface NameReader {
  readonly paths: readonly Path[];
  readonly of: (
    record: Fields,
    place: { readonly file: string; readonly record: number },
  ) => NamedRecord | { readonly url: null; readonly detail: string };
}

/**
 * @param told the field of the URL
 * @param urlPrefix null: none
 */
export function nameReader(told: string | undefined, urlPrefix: string | null): NameReader {
  const paths = (told === undefined ? [...URL_NAMES, ...ID_NAMES] : [told]).map(pathOf);
  return {
    paths,
    of: (record, { file, record: number }) => {
      let local: { readonly text: string; readonly path: Path } | null = null;
      for (const path of paths) {
        const text = textOf(path.of(record));
        if (text === '') continue;
        if (ABSOLUTE.test(text)) return { url: text, path };
        local ??= { text, path };
      }
      if (local !== null) {
        if (urlPrefix !== null) return { url: underPrefix(urlPrefix, local.text), path: local.path };
        const detail = `${local.path.name} is no URL: it is ${shown(local.text)}. With --url-prefix it would be one.`;
        return { url: null, detail };
      }
      if (told !== undefined) {
        return { url: null, detail: `${told}, named by --url-field, is missing or empty. ${fieldsShown(record)}.` };
      }
      if (urlPrefix === null) {
        const advice = 'name one with --url-field, or give --url-prefix';
        return { url: null, detail: `No field is known to hold its URL. ${fieldsShown(record)}: ${advice}.` };
      }
      return { url: underPrefix(urlPrefix, `${baseName(file)}/${number}`), path: null };
    },
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
