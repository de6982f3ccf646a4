import type { Corpus, CorpusContent, CorpusReading, CorpusSink, RecordsTold } from '../cluster/port.ts';
import { limitsFrom } from '../config/setting.ts';
import type { Config } from '../config.ts';
import { keptSample } from '../core/query/record-sample.ts';
import { wholeSample } from '../core/sketch/narrow.ts';
import { ShingledError } from '../errors.ts';
import type { Identity } from '../identity/identity.ts';
import { deriveIdentity } from '../identity/index-key.ts';
import type { Input } from '../ingest/inputs/inputs.ts';
import type { IngestSources, InputFields } from '../ingest/sources.ts';
import { expectedOf } from '../open-index.ts';
import { SERVICE_LIMIT_ROWS, SERVICE_LIMITS } from '../service/limits.ts';
import { PlannedLines } from '../service/write/planned-lines.ts';
import { EventLoop } from '../sharing/turns.ts';
import { describeNew } from '../store/level/folder/description.ts';
import type { IndexDescription, PutPlan } from '../store/port.ts';
import { corpusContent } from './contents/corpus-content.ts';
import { CorpusLines, type FilesWatch } from './corpus-lines.ts';
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
  /** What {@link IngestSources.marksOf} says of the inputs. */
  readonly marks: string;
  /** Whether texts are told with what of them is main. All bits of their shingles are then kept. */
  readonly hasMainText?: boolean;
  readonly watch?: FilesWatch;
}

/** What texts of files are told apart by. */
export const descriptionFor = (config: Config, secret: Uint8Array): IndexDescription =>
  describeNew({ ...expectedOf(secret, config), recordModulusMax: config.RECORD_MODULUS ?? WHOLE }, 0);

/** @throws ShingledError `invalid-request` for what is watched and cannot be found again: documents that lists name */
export function corpusOfFiles(
  config: Config,
  secret: Uint8Array,
  { sources, inputs, fields, marks, hasMainText = false, watch }: FilesOfCorpus,
): Corpus {
  const fetched = watch === undefined ? undefined : inputs.find(({ kind }) => kind === 'url');
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
    // a stream says nothing before it is read
    inputBytes: inputs.reduce<number | null>((sum, { size }) => (sum === null || size === null ? null : sum + size), 0),
    readingBytes: READING_BYTES,
    fingerprint: JSON.stringify([marks, fields, description.fingerprintId, description.recordModulusMax]),
    readInto: async (sink, told, signal) => {
      const opened = sources.openInputs(inputs, fields, null);
      const lines = new CorpusLines({ sources, signal, watch });
      await readLines(config, { identity, description }, lines, sink, { opened, told, signal, hasMainText, watch });
      const { fingerprintId } = description;
      return { records: lines.count, leftOut: lines.leftOut, fingerprintId } satisfies CorpusReading;
    },
  };
}

interface Reading {
  readonly opened: ReturnType<IngestSources['openInputs']>;
  readonly told: RecordsTold;
  readonly signal: AbortSignal | undefined;
  readonly hasMainText: boolean;
  readonly watch: FilesWatch | undefined;
}

function contentOf({ content }: PutPlan, { indexModulusMax }: IndexDescription, hasMainText: boolean): CorpusContent {
  const sample = hasMainText
    ? wholeSample(content.sample)
    : keptSample(content.sample, content.shingleCount, indexModulusMax);
  return corpusContent({ ...content, sample }, hasMainText);
}

async function readLines(
  config: Config,
  { identity, description }: { readonly identity: Identity; readonly description: IndexDescription },
  lines: CorpusLines,
  sink: CorpusSink,
  { opened, told, signal, hasMainText, watch }: Reading,
): Promise<void> {
  const limits = { ...SERVICE_LIMITS, ...limitsFrom(config, '', SERVICE_LIMIT_ROWS) };
  const documents = openDocuments(config, identity);
  const context = {
    ...{ limits, documents, caller: '', turns: new EventLoop(limits.sliceMs).turnsOf('') },
    store: { description },
    isBytesDigestLeftOut: true,
    now: () => Math.max(0, Date.now()),
    onFault: (): void => undefined,
  };
  try {
    for await (const group of new PlannedLines(context, lines.of(opened)).groups()) {
      signal?.throwIfAborted();
      const planned = group.filter((one) => 'plan' in one);
      for (const one of group)
        if (!('plan' in one)) lines.leaveOut(one.error instanceof ShingledError ? one.error.code : 'internal');
      const numbers = sink.contents(planned.map(({ plan }) => contentOf(plan, description, hasMainText)));
      for (const [i, { plan, line }] of planned.entries()) {
        const isDated = 'operation' in line && line.operation.op === 'put' && line.operation.observedAt !== null;
        if ('operation' in line) watch?.document(line.operation);
        const date = isDated ? plan.observedAt : null;
        sink.document({ content: numbers[i]!, url: plan.url, date, record: line.line });
      }
      told(group.at(-1)!.line.line + 1, () => lines.share());
      await sink.room();
    }
  } finally {
    await documents.close();
  }
}
