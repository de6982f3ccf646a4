import type { CompareAnswer, DocumentAnswer, PutAnswer, SimilarAnswer, StatsAnswer } from '../service/api.ts';
import { comparisonOf, putQueryOf, questionOf, similarQueryOf } from './as-json.ts';
import { lastSeenOf } from './last-seen.ts';
import type { IndexAccess } from './port.ts';
import { remoteBulk } from './remote-bulk.ts';
import { type ClientOptions, ServiceClient } from './service-client.ts';

/** Lines of one batch of questions: the service answers some thousand in a second. */
const QUESTIONS_MAX = 1000;

const JSON_TYPE = 'application/json';
const NDJSON_TYPE = 'application/x-ndjson';

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
    similarLines: (lines) => similarLines(client, lines),
    compare: (request) => post<CompareAnswer>('/compare', comparisonOf(request)),
    compareAsked: (question) => post<CompareAnswer>('/compare', question),
    stats: () => client.json<StatsAnswer>({ method: 'GET', path: '/stats' }),
    close: () => client.close(),
  };
}

async function* similarLines(client: ServiceClient, lines: AsyncIterable<string>): AsyncGenerator<string> {
  let before = 0;
  for await (const batch of inBatches(lines)) {
    const body = batch.map((line) => `${line}\n`).join('');
    const text = await client.text({ method: 'POST', path: '/similar', body, contentType: NDJSON_TYPE });
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('{"summary"')) continue;
      // every answer begins with the number of its line, in its request
      yield line.replace(/^\{"line":(\d+)/, (_all, number: string) => `{"line":${before + Number(number)}`);
    }
    before += batch.length;
  }
}

async function* inBatches(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < QUESTIONS_MAX) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
