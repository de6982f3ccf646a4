import type { BulkLine, BulkLineAnswer, BulkOperation, PutRequest, Thresholds } from '../../../src/service/api.ts';
import { ALL, putOf, type ServiceFixture } from './service-fixture.ts';

/* Puts that are inserted unless similar, and what became of them. */

export const UNLESS: Thresholds = { resemblance: 0.7, queryInMatch: null, matchInQuery: null };

export const putUnless = (url: string, words: string, more: Partial<PutRequest> = {}): BulkOperation => ({
  op: 'put',
  ...putOf(url, words),
  unless: UNLESS,
  ...more,
});

async function* linesOf(operations: readonly BulkOperation[]): AsyncGenerator<BulkLine> {
  for (const [at, operation] of operations.entries()) yield { line: at + 1, operation };
}

export const bulkOf = ({ service }: ServiceFixture, operations: readonly BulkOperation[]) =>
  Array.fromAsync(service.bulk(linesOf(operations), ALL));

export const resultOf = (answer: BulkLineAnswer) => ('result' in answer ? answer.result : answer.code);

/** The URLs that stood against a line that was skipped. */
export const standing = (answer: BulkLineAnswer) =>
  'result' in answer && answer.result === 'skipped'
    ? answer.similar!.flatMap(({ sources }) => sources.map(({ url }) => url)).sort()
    : [];
