import type { XmlReader } from './xml.ts';

/** So much of a title or a language is looked at: a file may give megabytes. */
const UNITS_MAX = 4096;

/** Reads what a document says of itself in the terms of Dublin Core; the first title and language count. */
export function metadataReader() {
  const values: Record<'title' | 'language', string> = { title: '', language: '' };
  const ended = new Set<string>();
  const reader: XmlReader = {
    text(part, path) {
      const name = path.at(-1);
      if ((name !== 'title' && name !== 'language') || ended.has(name)) return;
      if (values[name].length < UNITS_MAX) values[name] += part.slice(0, UNITS_MAX);
    },
    close(name) {
      if ((name === 'title' || name === 'language') && values[name].trim() !== '') ended.add(name);
    },
  };
  return { reader, said: (name: 'title' | 'language') => values[name] };
}
