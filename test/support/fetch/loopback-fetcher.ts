import { ShingledError } from '../../../src/errors.ts';
import type { Resolver } from '../../../src/fetch/exchange/name-resolver.ts';
import { type FetcherOptions, GuardedFetcher } from '../../../src/fetch/guarded-fetcher.ts';
import type { Fetcher, FetchOptions } from '../../../src/fetch/port.ts';

/** A resolver that answers from a table; other names have no address. */
export function resolverOf(table: Readonly<Record<string, readonly string[]>>): Resolver {
  return { resolve: (hostname) => Promise.resolve(table[hostname] ?? []) };
}

/** Every name is the given address. */
export const everyNameIs = (...addresses: readonly string[]): Resolver => ({
  resolve: () => Promise.resolve(addresses),
});

/** A fetcher that may fetch from a server on 127.0.0.0/8, in no hurry to be polite and telling failures at once. */
export function fetcherFor({ port }: { readonly port: number }, options: FetcherOptions = {}): Fetcher {
  return new GuardedFetcher({
    portsAllowed: [80, 443, port],
    privateAllowed: ['127.0.0.0/8'],
    resolver: everyNameIs('127.0.0.1'),
    perHostIntervalMs: 0,
    failureMemoryMs: 0,
    failureStepMs: 0,
    ...options,
  });
}

/** The code that fetching a URL ends in, `none` where it does not fail. */
export function codeOf(fetcher: Fetcher, url: string, options: FetchOptions = { purpose: 'look-up' }): Promise<string> {
  return errorOf(fetcher, url, options).then((error) => error?.code ?? 'none');
}

/** The error that fetching a URL ends in, null where it does not fail. @throws what is no ShingledError */
export function errorOf(
  fetcher: Fetcher,
  url: string,
  options: FetchOptions = { purpose: 'look-up' },
): Promise<ShingledError | null> {
  return fetcher.fetch(url, options).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ShingledError) return error;
      throw error;
    },
  );
}
