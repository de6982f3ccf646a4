import type { IngestLimits } from '../limits.ts';
import type { SourceReader } from '../port.ts';
import { readLineItems } from '../records/json-lines.ts';
import { wantedUrl } from './wanted.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A list of URLs: one a line, which text sitemaps are, too. Blank lines and those that begin with # say nothing. */
export function urlListReader({ addressBytesMax }: Pick<IngestLimits, 'addressBytesMax'>): SourceReader {
  return (bytes, from) =>
    readLineItems(bytes, from, addressBytesMax, (line) => {
      let text: string;
      try {
        text = utf8.decode(line).trim();
      } catch {
        return {
          refused: 'malformed',
          detail: 'The line is not UTF-8; if the file is in another charset, --charset says in which.',
          url: null,
        };
      }
      return text === '' || text.startsWith('#') ? null : wantedUrl(text, null, null);
    });
}
