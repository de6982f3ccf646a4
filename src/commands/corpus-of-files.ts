import { randomUUID } from 'node:crypto';
import type { Corpus, CorpusReading, CorpusSink } from '../cluster/port.ts';
import { limitsFrom } from '../config/setting.ts';
import type { Config } from '../config.ts';
import { ShingledError } from '../errors.ts';
import type { Identity } from '../identity/identity.ts';
import { deriveIdentity } from '../identity/index-key.ts';
import type { Input } from '../ingest/inputs/inputs.ts';
import type { IngestItem } from '../ingest/port.ts';
import type { IngestSources, InputFields } from '../ingest/sources.ts';
import { expectedOf } from '../open-index.ts';
import type { BulkLine } from '../service/api.ts';
import { SERVICE_LIMIT_ROWS, SERVICE_LIMITS } from '../service/limits.ts';
import { PlannedLines } from '../service/write/planned-lines.ts';
import { EventLoop } from '../sharing/turns.ts';
import { contentRecord } from '../store/contents.ts';
import { describeNew } from '../store/level/folder/description.ts';
import type { IndexDescription } from '../store/port.ts';
import { openDocuments } from './open-documents.ts';

/*
 * Files as a corpus: each record with a document is one, also where several have one URL. Documents are read and sketched as
 * those of an index are, by all cores. Unless RECORD_MODULUS says otherwise, all shingles of a text are kept: that is not for
 * long, and pairs are told apart exactly.
 */

/** Threads that sketch, and texts on their way to them. */
const READING_BYTES = 512 * 2 ** 20;
/** All shingles. */
const WHOLE = 1;

export interface FilesOfCorpus {
  readonly sources: IngestSources;
  readonly inputs: readonly Input[];
  readonly fields: InputFields;
}

/** @throws ShingledError `invalid-request` for inputs that hold no documents */
export function corpusOfFiles(config: Config, secret: Uint8Array, { sources, inputs, fields }: FilesOfCorpus): Corpus {
  const fetched = inputs.find(({ kind }) => kind === 'url');
  if (fetched !== undefined) {
    throw new ShingledError(
      'invalid-request',
      `${fetched.name} is a list: what it names must be fetched first, by "shingled ingest". Then name the data folder.`,
    );
  }
  const description = describeNew(
    { ...expectedOf(secret, config), recordModulusMax: config.RECORD_MODULUS ?? WHOLE },
    0,
  );
  const identity = deriveIdentity(secret, description.shingleSize);
  // a stream comes but once: what was read of it is of no other run
  const files = inputs.map(({ kind, name, size, mtimeMs }) => [
    name,
    size,
    mtimeMs,
    kind === 'stream' ? randomUUID() : kind,
  ]);
  return {
    names: inputs.map(({ name }) => name),
    // a stream says nothing before it is read
    inputBytes: inputs.reduce<number | null>((sum, { size }) => (sum === null || size === null ? null : sum + size), 0),
    readingBytes: READING_BYTES,
    fingerprint: JSON.stringify([files, fields, description.fingerprintId, description.recordModulusMax]),
    readInto: async (sink, told, signal) => {
      const opened = sources.openInputs(inputs, fields, null);
      const leftOut: Record<string, number> = {};
      const items = { count: 0, leftOut };
      const lines = linesOf(opened, items, signal);
      await readLines(config, { identity, description }, lines, sink, { told, leftOut, signal });
      return { records: items.count, leftOut } satisfies CorpusReading;
    },
  };
}

interface Items {
  count: number;
  readonly leftOut: Record<string, number>;
}

/** What puts documents, each line numbered by its record. */
async function* linesOf(
  opened: ReturnType<IngestSources['openInputs']>,
  items: Items,
  signal: AbortSignal | undefined,
): AsyncGenerator<BulkLine, void, undefined> {
  for await (const { items: runs } of opened) {
    for await (const run of runs) {
      signal?.throwIfAborted();
      for (const item of run) {
        const line = items.count++;
        const why = whyNot(item);
        if (why === null && 'operation' in item) yield { line, operation: item.operation };
        else if (why !== null) items.leftOut[why] = (items.leftOut[why] ?? 0) + 1;
      }
    }
  }
}

function whyNot(item: IngestItem): string | null {
  if ('refused' in item) return item.refused;
  if (!('operation' in item)) return 'no-document';
  return item.operation.op === 'put' ? null : 'no-document';
}

interface Reading {
  readonly told: (records: number) => void;
  readonly leftOut: Record<string, number>;
  readonly signal: AbortSignal | undefined;
}

async function readLines(
  config: Config,
  { identity, description }: { readonly identity: Identity; readonly description: IndexDescription },
  lines: AsyncIterable<BulkLine>,
  sink: CorpusSink,
  { told, leftOut, signal }: Reading,
): Promise<void> {
  const limits = { ...SERVICE_LIMITS, ...limitsFrom(config, '', SERVICE_LIMIT_ROWS) };
  const documents = openDocuments(config, identity);
  const context = {
    ...{ limits, documents, caller: '', turns: new EventLoop(limits.sliceMs).turnsOf('') },
    store: { description },
    now: () => Math.max(0, Date.now()),
    onFault: (): void => undefined,
  };
  try {
    for await (const group of new PlannedLines(context, lines).groups()) {
      signal?.throwIfAborted();
      for (const one of group) {
        if (!('plan' in one)) {
          const why = one.error instanceof ShingledError ? one.error.code : 'internal';
          leftOut[why] = (leftOut[why] ?? 0) + 1;
          continue;
        }
        const { plan, line } = one;
        const { id, shingleDigest, shingleCount, sample } = contentRecord(plan.content, description.indexModulusMax);
        const content = sink.content({ lexicalDigest: id, shingleDigest, shingleCount, sample });
        const isDated = 'operation' in line && line.operation.op === 'put' && line.operation.observedAt !== null;
        sink.document({ content, url: plan.url, date: isDated ? plan.observedAt : null, record: line.line });
      }
      told(group.at(-1)!.line.line + 1);
      await sink.room();
    }
  } finally {
    await documents.close();
  }
}
