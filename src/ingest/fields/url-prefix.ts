import { ShingledError } from '../../errors.ts';
import { percentEncoded } from './percent-encoded.ts';

const FOLDER = /^(?:https?|file):\/\/[^?#]*[\p{L}\p{N}]$/iu;
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:./i;

/**
 * A path, percent-encoded, behind a prefix; a slash between them is there once.
 *
 * @param path parts with slashes between them, as files have; nothing in it is encoded yet
 */
export function underPrefix(urlPrefix: string, path: string): string {
  const encoded = path.split('/').map(percentEncoded).join('/');
  return urlPrefix.endsWith('/') ? urlPrefix + encoded.replace(/^\/+/, '') : urlPrefix + encoded;
}

/**
 * The prefix as it stands before names: `https://a.example/docs` is a folder, as is a host alone, and gets its slash. A prefix
 * that ends in something other than a letter or digit, or has a query or fragment, stays as it is: `https://a.example/?id=`,
 * `https://a.example/page-`, `urn:x:`.
 *
 * @throws ShingledError `invalid-request` for what URLs cannot begin with
 */
export function readPrefix(urlPrefix: string): string {
  if (ABSOLUTE.test(urlPrefix)) return FOLDER.test(urlPrefix) ? `${urlPrefix}/` : urlPrefix;
  const detail = `The prefix of URLs begins with a scheme, such as https://a.example/ or urn:x:; it is "${urlPrefix}".`;
  throw new ShingledError('invalid-request', detail, { field: 'url-prefix' });
}
