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
import type { BulkLine, BulkOperation } from '../service/api.ts';
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

/** All shingles. */
const WHOLE = 1;

/** `next.record` of the first and the last item of an input; 0, 0: it has none. Of a table the first is behind its head. */
export interface RecordRange {
  readonly first: number;
  readonly last: number;
}

/** How many records there are from the first to the last. */
export const recordsIn = ({ first, last }: RecordRange) => (last === 0 ? 0 : last - first + 1);

/** Is told what is read, so that it can be found again. */
export interface FilesWatch {
  /** An input was read to its end. */
  input(records: RecordRange): void;
  /** Each record with an operation, in their order. */
  record(operation: BulkOperation, record: number): void;
  /** Each document, in their order. */
  document(operation: BulkOperation): void;
}

export interface FilesOfCorpus {
  readonly sources: IngestSources;
  readonly inputs: readonly Input[];
  readonly fields: InputFields;
  /** What {@link IngestSources.marksOf} says of the inputs. */
  readonly marks: string;
  readonly watch?: FilesWatch;
}

/** What texts of files are told apart by. */
export const descriptionFor = (config: Config, secret: Uint8Array): IndexDescription =>
  describeNew({ ...expectedOf(secret, config), recordModulusMax: config.RECORD_MODULUS ?? WHOLE }, 0);

/** @throws ShingledError `invalid-request` for inputs that hold no documents */
export function corpusOfFiles(
  config: Config,
  secret: Uint8Array,
  { sources, inputs, fields, marks, watch }: FilesOfCorpus,
): Corpus {
  const fetched = inputs.find(({ kind }) => kind === 'url');
  if (fetched !== undefined) {
    throw new ShingledError(
      'invalid-request',
      `${fetched.name} is a list: what it names must be fetched first, by "shingled ingest". Then name the data folder.`,
    );
  }
  const description = descriptionFor(config, secret);
  const identity = deriveIdentity(secret, description.shingleSize);
  return {
    names: inputs.map(({ name }) => name),
    fingerprint: JSON.stringify([marks, fields, description.fingerprintId, description.recordModulusMax]),
    readInto: async (sink, told, signal) => {
      const opened = sources.openInputs(inputs, fields, null);
      const leftOut: Record<string, number> = {};
      const items = { count: 0, leftOut, watch, signal };
      const lines = linesOf(opened, items);
      await readLines(config, { identity, description }, lines, sink, { told, leftOut, signal, watch });
      const { fingerprintId } = description;
      return { records: items.count, leftOut, fingerprintId } satisfies CorpusReading;
    },
  };
}

interface Items {
  count: number;
  readonly leftOut: Record<string, number>;
  readonly watch: FilesWatch | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What puts documents, each line numbered by its record. */
async function* linesOf(
  opened: ReturnType<IngestSources['openInputs']>,
  items: Items,
): AsyncGenerator<BulkLine, void, undefined> {
  const { leftOut, watch, signal } = items;
  let before = 0;
  for await (const { items: runs } of opened) {
    let [first, last] = [0, 0];
    for await (const run of runs) {
      signal?.throwIfAborted();
      items.count += run.length;
      for (const item of run) {
        // where the rest of an input cannot be read, the number is none
        last = Math.max(last, item.next.record);
        first ||= last;
        const line = before + last - first;
        const why = whyNot(item);
        if ('operation' in item) watch?.record(item.operation, line);
        if (why === null && 'operation' in item) yield { line, operation: item.operation };
        else if (why !== null) leftOut[why] = (leftOut[why] ?? 0) + 1;
      }
    }
    watch?.input({ first, last });
    before += recordsIn({ first, last });
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
  readonly watch: FilesWatch | undefined;
}

async function readLines(
  config: Config,
  { identity, description }: { readonly identity: Identity; readonly description: IndexDescription },
  lines: AsyncIterable<BulkLine>,
  sink: CorpusSink,
  { told, leftOut, signal, watch }: Reading,
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
        if ('operation' in line) watch?.document(line.operation);
        sink.document({ content, url: plan.url, date: isDated ? plan.observedAt : null, record: line.line });
      }
      told(group.at(-1)!.line.line + 1);
      await sink.room();
    }
  } finally {
    await documents.close();
  }
}
