import { DEFAULT_EXTRACT_LIMITS, heapBytesToRead } from '../../../src/extract/limits.ts';
import { DEFAULT_FETCH_LIMITS } from '../../../src/fetch/limits.ts';
import { ROBOTS_MEMORY_BYTES_MAX } from '../../../src/fetch/robots/robots.ts';
import { WINDOW_BYTES_MAX } from '../../../src/http/bodies/decoded-body.ts';
import { BODY_BYTES_A_PLACE, IN_HAND_MAX } from '../../../src/http/edge/door.ts';
import { HELD_MAX } from '../../../src/http/edge/lanes.ts';
import { HTTP_LIMITS } from '../../../src/http/limits.ts';
import { SERVICE_LIMITS } from '../../../src/service/limits.ts';
import { KEPT_RANKINGS_BYTES_MAX } from '../../../src/service/similar/kept-rankings.ts';
import { TEMPLATES_BYTES_MAX } from '../../../src/service/templates.ts';
import { memoryShares, STORE_MEMORY_MB } from '../../../src/store/level/memory.ts';
import { DEFAULT_PIPELINE_LIMITS, PROCESS_MB_BESIDE } from '../../../src/workers/limits.ts';

/*
 * What memory the service may come to, by its limits: all of them at the same moment, which no load brings about. What is
 * not a limit but a cost of one thing is measured, and rounded up. A body that is decoded as it comes needs no more than what
 * is counted for it: the decoder looks back on no more than has come out, and is gone before the body becomes a value.
 */

const KIB = 1024;
const MIB = KIB * KIB;

/** A process that has just started, with its code, and the description of the API. */
const AT_REST_BYTES = 160 * MIB;
/** Of the main thread: three semi-spaces, as the flag says with which it is started. */
const YOUNG_HEAP_BYTES = 3 * 32 * MIB;
/** A connection that is open, with what the system has not taken yet of a small answer. */
const CONNECTION_BYTES = 32 * KIB;
/** Requests that wait behind one another on a connection, and what is behind them. */
const HELD_BYTES = 250 * KIB;
/** What a query reads and makes: the sample of a long text, records, an answer. */
const REQUEST_BYTES = 4 * MIB;
/** A query thread that has answered for a while, its young heap full. */
const QUERY_THREAD_HEAP_BYTES = 34 * MIB;
/** A thread that has guessed a charset keeps the models for that, most of them beside its heap. */
const CHARSET_MODELS_BYTES = 80 * MIB;
/** A buffer that fills has room for as much again. */
const GROWING = 2;
/** A text has two bytes a character. */
const AS_TEXT = 2;

const { bulkRequestsMax, answersBytesMax, bodyBytesMax, connectionsMax } = HTTP_LIMITS;
const { requestsInFlightMax, bulkBytesInFlightMax } = SERVICE_LIMITS;
const { familyBytesMax, holderBytesMax } = memoryShares(STORE_MEMORY_MB);
const { threads, memoryMb } = DEFAULT_PIPELINE_LIMITS;
const { concurrentMax, bytesMax } = DEFAULT_FETCH_LIMITS;

/** For each part, where it comes from, and MiB. */
const MEMORY: readonly (readonly [part: string, of: string, mib: number])[] = (
  [
    ['the process, when it has started', 'measured', AT_REST_BYTES],
    ['the young heap of its main thread', 'three semi-spaces of 32 MB', YOUNG_HEAP_BYTES],
    ['the index', '`STORE_MEMORY_MB`', STORE_MEMORY_MB * MIB],
    ['bodies, as they come', '128 places of 512 KiB, twice: buffers grow', IN_HAND_MAX * BODY_BYTES_A_PLACE * GROWING],
    [
      'bodies, as texts and values',
      '128 places of 512 KiB, twice: two bytes a character',
      IN_HAND_MAX * BODY_BYTES_A_PLACE * AS_TEXT,
    ],
    [
      'lines of NDJSON at work',
      '`BULK_REQUESTS_MAX` × (4 MiB at work + `BODY_BYTES_MAX` + 8 MiB to decode)',
      bulkRequestsMax * (bulkBytesInFlightMax + bodyBytesMax + WINDOW_BYTES_MAX),
    ],
    ['requests at work', '`REQUESTS_IN_FLIGHT_MAX` × 4 MiB', requestsInFlightMax * REQUEST_BYTES],
    ['answers that are not read yet', '`ANSWERS_BYTES_MAX`', answersBytesMax],
    ['connections', '`CONNECTIONS_MAX` × 32 KiB', connectionsMax * CONNECTION_BYTES],
    ['requests sent ahead on a connection', '256 × 250 KiB', HELD_MAX * HELD_BYTES],
    [
      'query threads',
      '`QUERY_THREADS`, 1 here, × 68 MiB: heap, and records of families',
      QUERY_THREAD_HEAP_BYTES + familyBytesMax + holderBytesMax,
    ],
    [
      'matches of lists that go on',
      '8 MiB a thread that answers: the main one, `QUERY_THREADS`',
      2 * KEPT_RANKINGS_BYTES_MAX,
    ],
    ['templates of hosts', '8 MiB a thread that answers, too', 2 * TEMPLATES_BYTES_MAX],
    [
      'threads that read documents',
      '`WORKERS_THREADS` × (64 MiB + 8 × `EXTRACT_DOCUMENT_BYTES_MAX` + 80 MiB to guess charsets)',
      threads * (heapBytesToRead(DEFAULT_EXTRACT_LIMITS) + CHARSET_MODELS_BYTES),
    ],
    [
      'processes for selectors and PDF files',
      '`WORKERS_THREADS` × (`WORKERS_MEMORY_MB` + 160 MiB)',
      threads * (memoryMb + PROCESS_MB_BESIDE) * MIB,
    ],
    ['fetches', '`FETCH_CONCURRENT_MAX` × `FETCH_BYTES_MAX`, twice: buffers grow', concurrentMax * bytesMax * GROWING],
    ['rules of robots.txt', 'a limit of their memory', ROBOTS_MEMORY_BYTES_MAX],
  ] as const
).map(([part, of, bytes]) => [part, of, Math.ceil(bytes / MIB)]);

export const MEMORY_MIB = MEMORY.reduce((sum, [, , mib]) => sum + mib, 0);

/** The table in docs/architecture.md. */
export function memoryTable(): string {
  const rows = MEMORY.map(([part, of, mib]) => `| ${part} | ${of} | ${mib} |`);
  return ['| What | Of | MiB |', '|---|---|---|', ...rows, `| together | | ${MEMORY_MIB} |`].join('\n');
}
