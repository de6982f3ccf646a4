import { ShingledError } from '../../errors.ts';
import type { FetchLimits } from '../limits.ts';
import type { Answer } from './exchange.ts';
import { redirectTargetOf, type Target } from './target.ts';

/** What one hop gave: the end of the way, or where it goes on. */
export type Hop<T> = { readonly done: T } | { readonly location: string };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Where a redirecting answer leads, null where it is none or does not say. */
export function locationOf(answer: Answer): string | null {
  const location = REDIRECTS.has(answer.status) ? answer.header('location')[0] : undefined;
  if (location === undefined) return null;
  // Header bytes arrive as Latin-1; what servers send beyond ASCII is UTF-8, and browsers read it so.
  return Buffer.from(location, 'latin1').toString('utf8');
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
