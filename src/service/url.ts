import { type ErrorDetails, ShingledError } from '../errors.ts';

/*
 * The names of sources. http and https URLs are normalised as WHATWG URL does it. The fragment goes, since it names a
 * part of a document, not a document. The default port goes too. Nothing else is touched: query order, trailing
 * slashes and index.html mean what the server says they mean. Any other absolute URI (urn:, tag:, doc:, file:) is a
 * name, and never fetched. It is kept as it is, but the case of its scheme is folded and characters beyond ASCII are
 * percent-encoded (RFC 3987, §3.1).
 *
 * Refused are relative references; userinfo, which is a secret or a trap and would be printed to everybody who asks;
 * and what only looks like a URI: `host:8080/x`, `C:\x`. So are schemes whose URIs hold a document or a program instead
 * of naming one (data:, javascript:, vbscript:, blob:, about:), since clients print sources as links.
 */

export interface SourceName {
  /** The normalised URL: what the index knows the source by. */
  readonly url: string;
  /** As the caller wrote it. */
  readonly spelling: string;
  /** Whether it is http or https. */
  readonly fetchable: boolean;
}

const NOT_NAMES = new Set(['data', 'javascript', 'vbscript', 'blob', 'about']);
/** Of names: behind the scheme of a page comes its host. */
const SCHEME_ALONE = /^(?!https?:)[a-z][a-z0-9+.-]+:$/i;
const SPACE_OR_CONTROL = /[\s\p{Cc}]/u;

/**
 * @param field how the caller's field is called, for the error
 * @param urlBytesMax UTF-8 bytes that the spelling and the normalised URL may each have
 * @throws ShingledError `invalid-url`
 */
export function nameSource(spelling: string, field: string, urlBytesMax: number): SourceName {
  checkLength(spelling, field, urlBytesMax);
  if (!spelling.isWellFormed()) throw invalid(field, 'The URL has half a surrogate pair in it.');
  if (/^[a-z]+%3a/i.test(spelling)) throw invalid(field, 'The URL is percent-encoded twice: once is enough.');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(spelling.trimStart())?.[1]?.toLowerCase();
  if (scheme === undefined || scheme.length === 1 || scheme.includes('.') || scheme === 'localhost') {
    const detail = 'The URL is not absolute: write it with its scheme, such as https://a.example/x or urn:isbn:1.';
    throw invalid(field, detail);
  }
  if (NOT_NAMES.has(scheme)) throw invalid(field, `A ${scheme}: URL names no document.`);
  const fetchable = scheme === 'http' || scheme === 'https';
  const url = fetchable ? normalised(spelling, field) : nameOf(spelling, scheme, field);
  checkLength(url, field, urlBytesMax);
  return { url, spelling, fetchable };
}

/**
 * The beginning of a URL in the form of whole ones; of a name the scheme alone will do.
 *
 * @throws ShingledError `invalid-url`, `invalid-request`
 */
export function nameUrlPrefix(prefix: string, field: string, urlBytesMax: number): string {
  const refuse = (detail: string) => new ShingledError('invalid-request', detail, { field });
  const isScheme = SCHEME_ALONE.test(prefix);
  const { url, fetchable } = nameSource(isScheme ? `${prefix}x` : prefix, field, urlBytesMax);
  if (isScheme) return url.slice(0, -1);
  if (prefix.endsWith('*'))
    throw refuse(
      `${field} ends in *, which stands for nothing here: leave it out, and every URL that begins so counts.`,
    );
  if (!fetchable || !prefix.includes('#')) return url;
  throw refuse('Pages are known without their fragments: leave out # and what follows.');
}

/** The host of a source, by which sources are grouped and excluded: null for a name, which has none. */
export function hostOf(url: string): string | null {
  return /^https?:/.test(url) ? new URL(url).hostname : null;
}

/** As long as names of hosts are (RFC 1035, 2.3.4): one of 4,000 letters takes 0.1 ms to read. */
const HOST_CHARACTERS_MAX = 253;

/** A host as a caller spells it, in the form of {@link hostOf}. @throws ShingledError `invalid-request` */
export function nameHost(host: string, field: string): string {
  if (host.length > HOST_CHARACTERS_MAX) {
    const detail = `The name of a host has at most ${HOST_CHARACTERS_MAX} characters; ${field} has ${host.length}.`;
    const limit = { name: 'hostCharactersMax', value: HOST_CHARACTERS_MAX };
    throw new ShingledError('invalid-request', detail, { field, limit });
  }
  if (host.includes('*')) {
    const detail = `${field} holds a *, which stands for nothing here: name each host, its subdomains too.`;
    throw new ShingledError('invalid-request', detail, { field });
  }
  const url = /[/?#@\\\s]/.test(host)
    ? null
    : URL.parse(`http://${host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host}/`);
  if (url !== null) return url.hostname;
  const meant = /^https?:/i.test(host) ? URL.parse(host) : URL.parse(`http://${host}`);
  const way = meant === null ? '' : `: write ${meant.hostname}`;
  const detail = `${field} must be the name or address of a host, such as a.example; it is ${JSON.stringify(host)}${way}.`;
  throw new ShingledError('invalid-request', detail, { field });
}

function normalised(spelling: string, field: string): string {
  const url = URL.parse(spelling);
  if (url === null)
    throw invalid(field, 'The URL cannot be parsed: behind https:// comes a host, as in https://a.example/x.');
  if (url.username !== '' || url.password !== '')
    throw invalid(field, 'The URL holds a user name or a password: leave them out.');
  url.hash = '';
  return url.href;
}

function nameOf(spelling: string, scheme: string, field: string): string {
  const rest = spelling.slice(scheme.length + 1);
  if (SPACE_OR_CONTROL.test(spelling)) throw invalid(field, 'The URI has white space or a control character in it.');
  if (rest === '' || rest === '//') throw invalid(field, 'The URI names nothing after its scheme.');
  if (/^\/\/[^/?#]*@/.test(rest)) throw invalid(field, 'The URI holds a user name or a password: leave them out.');
  return `${scheme}:${rest.replace(/\P{ASCII}+/gu, encodeURIComponent)}`;
}

function checkLength(url: string, field: string, urlBytesMax: number): void {
  // One UTF-16 unit is at least one byte: a text too long by units alone is not measured.
  if (url.length <= urlBytesMax && Buffer.byteLength(url) <= urlBytesMax) return;
  throw invalid(field, `The URL is too long: at most ${urlBytesMax} bytes are taken.`, {
    limit: { name: 'urlBytesMax', value: urlBytesMax },
  });
}

function invalid(field: string, detail: string, details: ErrorDetails = {}): ShingledError {
  return new ShingledError('invalid-url', detail, { field, ...details });
}
