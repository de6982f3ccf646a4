import type { FetcherOptions } from '../../../src/fetch/guarded-fetcher.ts';
import type { FetchedDocument, Fetcher } from '../../../src/fetch/port.ts';
import { fetcherFor } from './loopback-fetcher.ts';
import { type Behaviour, type OriginServer, startOrigin } from './origin-server.ts';

/** A server, and a fetcher that may fetch from it under the name site.example. */
export interface Site {
  readonly origin: OriginServer;
  readonly fetcher: Fetcher;
  url(path: string): string;
  get(path: string): Promise<FetchedDocument>;
}

interface Closable {
  close(): Promise<void>;
}

const opened: Closable[] = [];

export async function startSite(behave: Behaviour, options: FetcherOptions = {}): Promise<Site> {
  const origin = await startOrigin(behave);
  const fetcher = fetcherFor(origin, options);
  closeLater(fetcher, origin);
  const url = (path: string) => `http://site.example:${origin.port}${path}`;
  return { origin, fetcher, url, get: (path) => fetcher.fetch(url(path), { purpose: 'look-up' }) };
}

/** For what a test opens beside its sites. */
export function closeLater(...more: readonly Closable[]): void {
  opened.push(...more);
}

/** Closes what was opened since the last time; for `afterEach`. */
export async function closeSites(): Promise<void> {
  await Promise.all(opened.splice(0).map((each) => each.close()));
}

export const textOf = ({ bytes }: FetchedDocument): string => Buffer.from(bytes).toString();
