import { Buffer } from 'node:buffer';
import sniff from 'html-encoding-sniffer';
import { Parser } from 'htmlparser2';

/* The charset that a page names itself: where browsers look for it. */

/** How far into a page its own declaration of a charset is looked for (WHATWG HTML, "prescan a byte stream"). */
export const PRESCAN_BYTES = 1_024;

/** How far where nothing else is known: browsers that meet a late declaration start over ("changing the encoding"). */
export const LATE_PRESCAN_BYTES = 16_384;

const IN_CONTENT = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"']+))/i;
const XML_ENCODING = /^<\?xml[\t\n\f\r ][^>]*?encoding[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)')/;

/** What the prescan answers where a page names nothing, or nothing that can be decoded. */
const NOTHING: ReadonlySet<string> = new Set(['none', 'replacement']);

/**
 * The labels by which a page names its own charset, in the order in which they are to be tried.
 *
 * A page that was read as bytes cannot be UTF-16, whatever it says: such a label means UTF-8, and x-user-defined means
 * windows-1252, as in browsers. Within PRESCAN_BYTES the prescan of the HTML standard comes first, to which the contents of
 * scripts and titles are like any others. Behind that, and if it finds nothing that can be decoded, tags count as a
 * parser finds them.
 *
 * @param xhtml the XML declaration comes first, else <meta> does.
 * @param bytesRead how far to look.
 */
export function* declaredCharsets(bytes: Uint8Array, xhtml: boolean, bytesRead: number): Generator<string> {
  const read = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, bytesRead));
  const head = read.toString('latin1');
  const xml = XML_ENCODING.exec(head);
  const inXml = xml?.[1] ?? xml?.[2] ?? '';
  if (xhtml && inXml !== '') yield asReadByBytes(inXml);
  if (/charset/i.test(head)) {
    const found = read.length > PRESCAN_BYTES ? null : prescanned(read);
    if (found !== null) yield asReadByBytes(found);
    for (const label of metaCharsets(head)) yield asReadByBytes(label);
  }
  if (!xhtml && inXml !== '') yield asReadByBytes(inXml);
}

function prescanned(bytes: Buffer): string | null {
  const name = sniff(bytes, { defaultEncoding: 'none' });
  return NOTHING.has(name) ? null : name;
}

function metaCharsets(head: string): string[] {
  const lastMention = head.toLowerCase().lastIndexOf('charset');
  const labels: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name !== 'meta') return;
      const charset = attributes['charset'] ?? charsetInContent(attributes);
      if (charset !== null) labels.push(charset);
    },
  });
  // nothing behind the tag that mentions a charset last can name one
  parser.end(head.slice(0, head.indexOf('>', lastMention) + 1 || head.length));
  return labels;
}

function charsetInContent(attributes: Record<string, string>): string | null {
  if (attributes['http-equiv']?.toLowerCase() !== 'content-type') return null;
  const match = IN_CONTENT.exec(attributes['content'] ?? '');
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

function asReadByBytes(label: string): string {
  const name = label.trim().toLowerCase();
  if (/^(?:utf-?16|ucs-2|unicode$|unicodefeff|unicodefffe|csunicode|iso-10646-ucs-2)/.test(name)) return 'utf-8';
  return name === 'x-user-defined' ? 'windows-1252' : name;
}
