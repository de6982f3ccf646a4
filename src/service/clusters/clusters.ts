import { withDeadline } from '../../sharing/deadline.ts';
import { resumed } from '../../sharing/served.ts';
import { elapsedMs, type ServiceContext } from '../context.ts';
import { unknownUrl } from '../document/query.ts';
import { isoTime } from '../iso-time.ts';
import { checkDeadline, checkShareAboveZero, checkWhole } from '../options.ts';
import { nameSource } from '../url.ts';
import type { ClusterAnswer, ClusterRequest } from './cluster-api.ts';
import { clusterInIndex } from './index-cluster.ts';

/**
 * The cluster of a URL at a threshold (Broder 1997, §6, basic clustering): contents that hang together by pairs that are so
 * alike. Stores nothing.
 *
 * @throws ShingledError `invalid-url`, `invalid-request`, `unknown-url`, `deadline-exceeded`, `index-unreadable`
 */
export async function clusters(
  context: ServiceContext,
  request: ClusterRequest,
  signal?: AbortSignal,
): Promise<ClusterAnswer> {
  const startedAt = performance.now();
  const { limits, places, caller, now } = context;
  const { threshold, by } = request;
  checkShareAboveZero('threshold', threshold);
  checkWhole('limit', request.limit, 1, limits.limitMax, 'limitMax');
  checkWhole('sourcesPerMember', request.sourcesPerMember, 1, limits.sourcesPerMatchMax, 'sourcesPerMatchMax');
  checkDeadline(request.deadlineMs, limits);
  const { url } = nameSource(request.url, 'url', limits.urlBytesMax);
  return withDeadline(request.deadlineMs ?? limits.clusterMs, signal, async (deadline) => {
    const asOf = isoTime(now());
    const index = await places.run(caller, { until: deadline }, () =>
      clusterInIndex({ ...context, deadline }, url, request),
    );
    const urls = [...new Set([request.url, url])];
    const question = { urls, by, threshold, limit: request.limit };
    const corpus = (await context.corpus?.ask(question, { caller, deadline })) ?? null;
    resumed();
    if (index === null && corpus?.state !== 'found') throw unknownUrl('url');
    const found = index === null ? null : { asOf, ...index };
    return { url, by, threshold, index: found, corpus, elapsedMs: elapsedMs(startedAt) };
  });
}
