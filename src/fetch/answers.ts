import { ShingledError } from '../errors.ts';
import { fileKindOfType } from '../features/file-types.ts';
import { urlOfBytes } from '../message/url-bytes.ts';
import { codingsOfAnswer, readBody, tooLarge } from './exchange/body.ts';
import type { Answer } from './exchange/exchange.ts';
import { redirectTargetOf, type Target } from './exchange/target.ts';
import type { FetchLimits } from './limits.ts';
import type { FetchedDocument, FetchOptions } from './port.ts';

/** What one hop gave: the end of the way, or where it goes on. */
export type Hop<T> = { readonly done: T } | { readonly location: string };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Where a redirecting answer leads, null where it is none or does not say. */
export function locationOf(answer: Answer): string | null {
  const location = REDIRECTS.has(answer.status) ? answer.header('location')[0] : undefined;
  return location === undefined ? null : urlOfBytes(location);
}

/**
 * Goes from target to target, each checked like the first, until a hop is the last one.
 *
 * @throws ShingledError `fetch-status` after `redirectsMax` redirects; `fetch-failed` for a target that is not allowed;
 * what `visit` throws
 */
export async function followRedirects<T>(
  start: Target,
  limits: Pick<FetchLimits, 'redirectsMax' | 'portsAllowed' | 'urlBytesMax'>,
  visit: (target: Target) => Promise<Hop<T>>,
): Promise<T> {
  let target = start;
  for (let redirects = 0; redirects <= limits.redirectsMax; redirects++) {
    const hop = await visit(target);
    if ('done' in hop) return hop.done;
    target = redirectTargetOf(hop.location, target, limits);
  }
  throw new ShingledError('fetch-status', 'The server redirects too many times.', {
    limit: { name: 'redirectsMax', value: limits.redirectsMax },
  });
}

/** Media types that hold no text whatever their bytes; all others are sniffed where text is extracted. */
const NOT_TEXT =
  /^(image|audio|video|font|model)\/|^application\/(zip|gzip|x-(7z|rar|tar|gzip|bzip2?|xz|iso9660|shockwave|ms|debian|rpm|font)|zstd|wasm|java-archive|msword|postscript|vnd\.(ms-|openxmlformats|oasis|rar|android|debian|adobe))/;

/** Bytes of a list of URLs after decompression: a sitemap may have 50 MB. */
const LIST_BYTES_MAX = 50 * 2 ** 20;
/** How servers send sitemap.xml.gz. */
const PACKED_LIST = /^application\/(x-)?gzip\b/;

/**
 * What one answer gives: a document, or where to go on.
 *
 * 2xx is a document but for 204 and 205, which have none, and 206, which is a part that was not asked for. 404 and 410 are
 * documents without bytes. All else is `fetch-status`.
 *
 * @throws ShingledError `fetch-status`, `unsupported-media-type`, `fetch-too-large`, `fetch-failed`
 */
export async function readDocument(
  answer: Answer,
  target: Target,
  documentLimits: Pick<FetchLimits, 'bytesMax' | 'ratioMax' | 'ratioFreeBytes'>,
  accept: FetchOptions['accept'] = 'document',
): Promise<Hop<FetchedDocument>> {
  const isList = accept === 'list';
  const limits = isList ? { ...documentLimits, bytesMax: LIST_BYTES_MAX } : documentLimits;
  const location = locationOf(answer);
  if (location !== null) return { location };
  const { status } = answer;
  const contentType = answer.header('content-type')[0] ?? null;
  const document = { finalUrl: target.url.href, httpStatus: status, contentType };
  if (status === 404 || status === 410) return { done: { ...document, bytes: new Uint8Array(0) } };
  if (status < 200 || status > 299 || status === 204 || status === 205 || status === 206) {
    throw new ShingledError('fetch-status', `The server answered with status ${status}.`);
  }
  const type = (contentType ?? '').trim().toLowerCase();
  if (NOT_TEXT.test(type) && fileKindOfType(type) === null && !(isList && PACKED_LIST.test(type))) {
    throw new ShingledError('unsupported-media-type', 'The server says that the document is not text.');
  }
  const codings = codingsOfAnswer(answer, target.hostname);
  if (codings.length === 0 && Number(answer.header('content-length')[0]) > limits.bytesMax) {
    throw tooLarge('is too large', 'bytesMax', limits.bytesMax);
  }
  const bytes = await readBody(answer.body, codings, { ...limits, excess: 'refuse' });
  return { done: { ...document, bytes } };
}
