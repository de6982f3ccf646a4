import { join } from 'node:path';
import type { Logger } from 'pino';
import { lastSeenOf } from '../client/last-seen.ts';
import type { FillAccess, IndexAccess } from '../client/port.ts';
import { limitsFrom } from '../config/setting.ts';
import type { Config } from '../config.ts';
import { ShingledError } from '../errors.ts';
import { HTTP_LIMIT_ROWS, HTTP_LIMITS } from '../http/limits.ts';
import { comparisonFrom, questionFrom } from '../http/routes/requests.ts';
import { CompareRequest } from '../http/schemas/compare.schema.ts';
import { SimilarRequest } from '../http/schemas/similar.schema.ts';
import { compileCheck } from '../http/validation/validation.ts';
import { parseJson } from '../json/json.ts';
import type { Access, SimilarLine, SimilarLineAnswer } from '../service/api.ts';
import type { MovedLine, MovedRequest } from '../service/moved/moved-api.ts';
import { LOADING_FOLDER } from '../store/level/folder/folder-parts.ts';
import { FirstLoad } from './first-load.ts';
import { FirstLoadAccess } from './first-load-access.ts';
import { openParts, type Process } from './open-parts.ts';

/** The one who calls is the one who runs the process. */
const ACCESS: Access = { caller: 'the command line', mayFetch: true };

/**
 * Opens the index of the configured folder in this process.
 *
 * @throws ShingledError `invalid-config`, `index-missing`, `index-locked`, `index-mismatch` or `index-damaged`
 */
export async function openFolder(config: Config, running: Process, log: Logger): Promise<IndexAccess> {
  // nobody else asks: threads beside this one would only cost their start, as what they read does
  const alone = { ...config, QUERY_THREADS: 0, CLUSTERS_DIR: null };
  const parts = await openParts(alone, { ...running, isCommand: true }, log).catch(adviseAsking);
  const { service, store } = parts;
  const limits = { ...HTTP_LIMITS, ...limitsFrom(config, '', HTTP_LIMIT_ROWS) };
  const asked = askedBy((text) => parseJson(Buffer.from(text), limits));
  let { relaxedLosses } = store;
  return {
    place: config.DATA_DIR,
    bulk: (lines) => service.bulk(lines, ACCESS, { relaxed: true, describe: true }),
    durable: async () => {
      await store.sync();
      const before = relaxedLosses;
      ({ relaxedLosses } = store);
      if (relaxedLosses === before) return;
      throw new ShingledError('storage-full', 'The disk has lost documents that were written, but not synced yet.');
    },
    put: (request) => service.put(request, ACCESS),
    lastSeen: (url) => lastSeenOf(() => service.document(url, { limit: 1, cursor: null }, ACCESS)),
    similar: async (reference, options) =>
      JSON.parse((await service.similar(reference, options, ACCESS)).json.toString()),
    similarLines: (lines) => similarLines(service.similarBatch(asked.similar(lines), ACCESS)),
    composition: (reference, options) => service.compose(reference, options, ACCESS),
    compare: (request) => service.compare(request, ACCESS),
    compareAsked: async (question) => service.compare(comparisonFrom(asked.compare(question)), ACCESS),
    moved: (request) => service.moved(request, ACCESS),
    movedLines: (requests) => service.movedBatch(numbered(requests), ACCESS),
    cluster: (request) => service.clusters(request, ACCESS),
    stats: service.stats,
    list: (selection, page) => service.list(selection, page, ACCESS),
    countByHost: (selection, page) => service.countByHost(selection, page, ACCESS),
    versions: (url, page) => service.versions(url, page, ACCESS),
    changesByHost: (selection, page) => service.changesByHost(selection, page, ACCESS),
    exportLines: (selection) => asJson(service.export(selection, null, ACCESS)),
    forgetSelected: (selection, options) => service.forgetSelected(selection, options, ACCESS),
    close: parts.close,
  };
}

/**
 * Opens it to be written to: where it is absent or holds nothing, what comes first goes by a first load, which goes on with one
 * that was begun there.
 *
 * @param until where it aborts, the first load ends
 * @param checkpointMs of a first load, in tests
 * @throws as {@link openFolder} does; ShingledError `load-unfinished` where what was begun cannot go on
 */
export async function openToFill(
  config: Config,
  running: Process,
  log: Logger,
  until: AbortSignal,
  checkpointMs?: number,
): Promise<FillAccess> {
  const load = await FirstLoad.begin(config, running.pid, checkpointMs).catch(adviseAsking);
  const open = () => openFolder(config, running, log);
  if (load === null) return open();
  const freeBytesAtBegin = await load.freeBytes();
  return new FirstLoadAccess(load, open, until, { folder: join(config.DATA_DIR, LOADING_FOLDER), freeBytesAtBegin });
}

function adviseAsking(error: unknown): never {
  if (!(error instanceof ShingledError) || error.code !== 'index-locked') throw error;
  const advice = 'Where that is a service, ask it: --server http://localhost:8080.';
  throw new ShingledError('index-locked', `${error.message}\n${advice}`, { cause: error });
}

/** Questions as they come over HTTP, held against the same schemas. */
function askedBy(parse: (text: string) => unknown) {
  const checkSimilar = compileCheck(SimilarRequest);
  const checkCompare = compileCheck(CompareRequest);
  return {
    compare: (question: unknown) => checkCompare(question),
    similar: async function* (texts: AsyncIterable<string>): AsyncGenerator<SimilarLine> {
      let line = 0;
      for await (const text of texts) {
        line++;
        if (text.trim() === '') continue;
        try {
          yield { line, ...questionFrom(checkSimilar(parse(text))) };
        } catch (error) {
          yield { line, error: error as ShingledError };
        }
      }
    },
  };
}

async function* similarLines(answers: AsyncIterable<SimilarLineAnswer>): AsyncGenerator<string> {
  for await (const answer of answers) {
    yield 'answer' in answer
      ? `{"line":${answer.line},"status":${answer.status},"answer":${answer.answer.json.toString()}}`
      : JSON.stringify(answer);
  }
}

async function* numbered(requests: AsyncIterable<MovedRequest>): AsyncGenerator<MovedLine> {
  let line = 0;
  for await (const request of requests) yield { line: ++line, request };
}

async function* asJson(lines: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const line of lines) yield JSON.stringify(line);
}
