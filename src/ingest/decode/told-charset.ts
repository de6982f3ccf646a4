import { declaresCharset } from '../../extract/charset/decode.ts';
import type { IngestItem } from '../port.ts';

const TEXTS = /^(?:text\/(?:html|plain)|application\/(?:xhtml\+xml|octet-stream))\s*(?:;|$)/i;
/** Of which the bytes say what it is. */
const UNKNOWN = 'application/octet-stream';

/** A document that declares no charset of its own has the one that was told. @param charset its WHATWG name */
export function withToldCharset(item: IngestItem, charset: string): IngestItem {
  if (!('operation' in item) || item.operation.op !== 'put' || item.operation.body === null) return item;
  const { operation } = item;
  const { bytes, contentType } = item.operation.body;
  const type = contentType ?? UNKNOWN;
  if (!TEXTS.test(type) || /;\s*charset\s*=/i.test(type) || (!/^text\/plain/i.test(type) && declaresCharset(bytes)))
    return item;
  return { ...item, operation: { ...operation, body: { bytes, contentType: `${type}; charset=${charset}` } } };
}
