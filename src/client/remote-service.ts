import { ShingledError } from '../errors.ts';
import type {
  CompareAnswer,
  DocumentAnswer,
  ForgetAnswer,
  HostChangesAnswer,
  HostsAnswer,
  ListAnswer,
  PageRequest,
  PutAnswer,
  Selection,
  SimilarAnswer,
  StatsAnswer,
  VersionsAnswer,
} from '../service/api.ts';
import type { ClusterAnswer } from '../service/clusters/cluster-api.ts';
import type { CompositionAnswer } from '../service/composition/composition-shapes.ts';
import type { MovedAnswer, MovedLineAnswer, MovedRequest } from '../service/moved/moved-api.ts';
import {
  clusterQueryOf,
  comparisonOf,
  compositionOf,
  movedQueryOf,
  putQueryOf,
  questionOf,
  selectionQueryOf,
  similarQueryOf,
} from './as-json.ts';
import { lastSeenOf } from './last-seen.ts';
import type { IndexAccess } from './port.ts';
import { remoteBulk } from './remote-bulk.ts';
import { remoteLines } from './remote-lines.ts';
import { type ClientOptions, type Question, ServiceClient } from './service-client.ts';

const JSON_TYPE = 'application/json';

/** An index that a running service holds. @throws ShingledError `invalid-config` for an address that is none */
export function createRemoteService(options: ClientOptions): IndexAccess {
  const client = new ServiceClient(options);
  const post = <T>(path: string, json: unknown) =>
    client.json<T>({ method: 'POST', path, body: JSON.stringify(json), contentType: JSON_TYPE });
  return {
    place: client.server,
    bulk: (lines) => remoteBulk(client, lines),
    // it is when it is answered
    durable: async () => {},
    put: (request) => {
      const { body } = request;
      const document = body === null ? {} : { body: body.bytes, contentType: body.contentType };
      return client.json<PutAnswer>({ method: 'PUT', path: '/documents', query: putQueryOf(request), ...document });
    },
    lastSeen: (url) =>
      lastSeenOf(() => client.json<DocumentAnswer>({ method: 'GET', path: '/documents', query: { url, limit: 1 } })),
    similar: (reference, wishes) => {
      const { body } = reference;
      if (body === null) return post<SimilarAnswer>('/similar', questionOf(reference, wishes));
      const query = similarQueryOf(reference, wishes);
      const document = { body: body.bytes, contentType: body.contentType };
      return client.json<SimilarAnswer>({ method: 'POST', path: '/similar', query, ...document });
    },
    similarLines: (lines) => remoteLines(client, '/similar', lines),
    composition: (reference, wishes) => post<CompositionAnswer>('/composition', compositionOf(reference, wishes)),
    compare: (request) => post<CompareAnswer>('/compare', comparisonOf(request)),
    compareAsked: (question) => post<CompareAnswer>('/compare', question),
    moved: (request) => client.json<MovedAnswer>({ method: 'GET', path: '/moved', query: movedQueryOf(request) }),
    movedLines: (requests) => movedLines(client, requests),
    cluster: (request) =>
      client.json<ClusterAnswer>({ method: 'GET', path: '/clusters', query: clusterQueryOf(request) }),
    stats: () => client.json<StatsAnswer>({ method: 'GET', path: '/stats' }),
    list: (selection, page) => client.json<ListAnswer>(listing('/documents/list', selection, page)),
    countByHost: (selection, page) => client.json<HostsAnswer>(listing('/documents/hosts', selection, page)),
    versions: (url, { limit, cursor }) =>
      client.json<VersionsAnswer>({ method: 'GET', path: '/documents/versions', query: { url, limit, cursor } }),
    changesByHost: (selection, page) => client.json<HostChangesAnswer>(listing('/documents/changes', selection, page)),
    exportLines: (selection) => exportLines(client, selection),
    forgetSelected: (selection, { dryRun, confirm }) => {
      const query = { ...selectionQueryOf(selection), confirm, dryRun: dryRun ? true : null };
      return client.json<ForgetAnswer>({ method: 'DELETE', path: '/documents/list', query });
    },
    close: () => client.close(),
  };
}

const listing = (path: string, selection: Selection, { limit, cursor }: PageRequest): Question => ({
  ...{ method: 'GET', path },
  query: { ...selectionQueryOf(selection), limit, cursor },
});

/** One that breaks off goes on behind its last whole line. */
async function* exportLines(client: ServiceClient, selection: Selection): AsyncGenerator<string, void, undefined> {
  let after: string | null = null;
  for (;;) {
    const query: Question['query'] = { ...selectionQueryOf(selection), after };
    const question: Question = { method: 'GET', path: '/documents/export', query };
    const lines: AsyncIterable<string> = await client.persistently(() => begun(client.lines(question)));
    const before: string | null = after;
    try {
      for await (const line of lines) {
        if (line.startsWith('{"summary"')) {
          if ((JSON.parse(line) as { summary: { complete: boolean } }).summary.complete) return;
          break;
        }
        yield line;
        after = (JSON.parse(line) as { url: string }).url;
      }
    } catch (error) {
      if (!(error instanceof ShingledError) || error.code !== 'service-unreachable') throw error;
    }
    if (after === before) throw new ShingledError('service-unreachable', `The export of ${client.server} broke off.`);
  }
}

/** Lines of which the first is here already. */
async function begun(lines: AsyncGenerator<string, void, undefined>): Promise<AsyncIterable<string>> {
  const first = await lines.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* lines;
  })();
}

async function* movedLines(
  client: ServiceClient,
  requests: AsyncIterable<MovedRequest>,
): AsyncGenerator<MovedLineAnswer> {
  const asked = async function* () {
    for await (const request of requests) yield JSON.stringify(movedQueryOf(request));
  };
  for await (const line of remoteLines(client, '/moved', asked())) yield JSON.parse(line) as MovedLineAnswer;
}
