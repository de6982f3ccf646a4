import { limitsFrom } from '../config/setting.ts';
import type { Config } from '../config.ts';
import type { Identity } from '../identity/identity.ts';
import { deriveIdentity } from '../identity/index-key.ts';
import { refuseNested } from '../nested-folders.ts';
import { folderOf, inSettings, secretOf, storeOptionsOf } from '../open-index.ts';
import type { BulkLine, BulkLineAnswer } from '../service/api.ts';
import { isShort } from '../service/document/query.ts';
import { SERVICE_LIMIT_ROWS, SERVICE_LIMITS } from '../service/limits.ts';
import { failedLine, writtenLine } from '../service/write/bulk.ts';
import { type PlannedLine, PlannedLines } from '../service/write/planned-lines.ts';
import { giveGarbageRoom, letGo } from '../sharing/garbage.ts';
import { EventLoop } from '../sharing/turns.ts';
import type { LoadedPlan } from '../store/level/load/intake.ts';
import { Load } from '../store/level/load/load.ts';
import type { LoadProgress, LoadRun } from '../store/level/load/load-run.ts';
import type { WriteOutcome } from '../store/port.ts';
import { openDocuments } from './open-documents.ts';

/*
 * The first load of an index: lines that put documents go into it many times as fast as one after the other, and come to the
 * same. What is not for it is handed back, to be written as to any other index.
 *
 *   lines ─┬─ plain puts into an absent or empty index ─► loaded, whole at the end
 *          └─ the rest: from the first line of another kind on, or all of them where the index holds documents
 */

/** Of some 45,000 texts: twice as much saves no more. */
const GARBAGE_BYTES = 256 * 2 ** 20;

export interface FirstLoadOptions extends Pick<LoadRun, 'note'> {
  /** Told before anything is read that lines are loaded, and how many bytes the disk has free; null: it does not say. */
  readonly onBegin?: (freeBytes: number | null) => void;
  /** Told of each line, in their order; what is told holds once the load has ended. */
  readonly onAnswer?: (answer: BulkLineAnswer) => void;
  readonly progress?: (told: LoadProgress) => void;
  /** Where it aborts, the load ends with a checkpoint; nothing is left of it where `note` is absent. */
  readonly signal?: AbortSignal;
  /** Told of what fails for no reason that the document gives. */
  readonly onFault?: (fault: unknown) => void;
}

export interface FirstLoadResult {
  /** null where none was made, since the index holds documents. */
  readonly loaded: {
    readonly documents: number;
    readonly contents: number;
    readonly postings: number;
    /** That temporary files took beside the index, bytes. */
    readonly temporaryBytes: number;
  } | null;
  /** Lines that are still to be written, in their order; null where there are none. */
  readonly rest: AsyncIterable<BulkLine> | null;
}

/**
 * Loads the lines into the index of the configured folder where that is absent, or holds nothing.
 *
 * @param pid of this process, for the lock
 * @throws as {@link FirstLoad.begin} and {@link FirstLoad.run} do
 */
export async function firstLoad(
  config: Config,
  pid: number,
  lines: AsyncIterable<BulkLine>,
  options: FirstLoadOptions = {},
): Promise<FirstLoadResult> {
  const begun = await FirstLoad.begin(config, pid);
  return begun === null ? { loaded: null, rest: lines } : begun.run(lines, options);
}

/** A load that has begun: the folder is its own until it has run, or is abandoned. */
export class FirstLoad {
  readonly #load: Load;
  readonly #config: Config;
  readonly #identity: Identity;

  private constructor(load: Load, config: Config, identity: Identity) {
    this.#load = load;
    this.#config = config;
    this.#identity = identity;
  }

  /**
   * Begins, or goes on with what was begun in the folder.
   *
   * @param checkpointMs from one checkpoint to the next; but in tests as the store has it
   * @returns null where the index of the configured folder holds documents; the folder is free again then
   * @throws ShingledError `storage-full`, `invalid-config`, `index-missing`, `index-locked`, `index-mismatch`,
   *   `index-damaged`, `load-unfinished` where what was begun cannot go on
   */
  static async begin(config: Config, pid: number, checkpointMs?: number): Promise<FirstLoad | null> {
    if (config.BACKUP_DIR !== null) await refuseNested('BACKUP_DIR', config.BACKUP_DIR, config.DATA_DIR);
    const folder = await folderOf(config, config.INDEX_MUST_EXIST, pid, true);
    const secret = await secretOf(folder);
    const more = checkpointMs === undefined ? {} : { checkpointMs };
    const load = await Load.begin({ folder, ...storeOptionsOf(secret, config), ...more, now: Date.now() }).catch(
      (error: unknown) => {
        throw inSettings(error);
      },
    );
    return load && new FirstLoad(load, config, deriveIdentity(secret, load.description.shingleSize));
  }

  /** The note that the writer of the lines gave for the last checkpoint; null if there is no checkpoint. */
  get note(): string | null {
    return this.#load.note;
  }

  /** Bytes that are free on the disk; null where the system does not say. */
  freeBytes(): Promise<number | null> {
    return this.#load.freeBytes();
  }

  /** Gives the folder up. What the last checkpoint names stays; if there is none, nothing does. */
  abandon(): Promise<void> {
    return this.#load.abandon();
  }

  /**
   * Takes the lines in, and makes the index of them. Once.
   *
   * @throws ShingledError `storage-full`; the reason of the signal; what reading the lines throws. The last checkpoint is then
   *   left to go on from; if there is none, the folder is as it was before
   */
  async run(lines: AsyncIterable<BulkLine>, options: FirstLoadOptions): Promise<FirstLoadResult> {
    const load = this.#load;
    const limits = { ...SERVICE_LIMITS, ...limitsFrom(this.#config, '', SERVICE_LIMIT_ROWS) };
    let documents: ReturnType<typeof openDocuments> | undefined;
    const takeBackRoom = giveGarbageRoom(GARBAGE_BYTES);
    try {
      options.onBegin?.(await load.freeBytes());
      documents = openDocuments(this.#config, this.#identity);
      const context = {
        ...{ limits, documents, caller: '', store: load, turns: new EventLoop(limits.sliceMs).turnsOf('') },
        isRecordMade: true,
        now: () => Math.max(0, Date.now()),
        onFault: (fault: unknown) => options.onFault?.(fault),
      };
      const planned = new PlannedLines(context, lines);
      const { totals, temporaryBytes } = await load.run(toldBatches(planned, context, options), options);
      const { sources, contents, postings } = totals;
      return { loaded: { documents: sources, contents, postings, temporaryBytes }, rest: planned.rest };
    } catch (error) {
      await load.abandon();
      throw error;
    } finally {
      await documents?.close();
      takeBackRoom();
    }
  }
}

/** Batches for the load, each told of in the order of its lines once it is taken in. */
async function* toldBatches(
  planned: PlannedLines,
  context: { onFault(fault: unknown): void },
  { onAnswer }: FirstLoadOptions,
): AsyncGenerator<LoadedPlan[], void, undefined> {
  for await (const group of planned.groups()) {
    const outcomes: (WriteOutcome | { readonly refused: unknown })[] = [];
    const batch: LoadedPlan[] = [];
    for (const [at, one] of group.entries()) {
      if (!('plan' in one)) {
        outcomes[at] = { refused: one.error };
        continue;
      }
      batch.push({
        request: one.plan,
        record: one.record,
        resolve: (outcome) => {
          outcomes[at] = outcome;
        },
        reject: (error) => {
          outcomes[at] = { refused: error };
        },
      });
    }
    yield batch;
    letGo(batch);
    if (onAnswer !== undefined) {
      for (const [at, one] of group.entries()) tell(one, outcomes[at]!, context, onAnswer);
    }
    letGo(group);
  }
}

function tell(
  one: PlannedLine,
  outcome: WriteOutcome | { readonly refused: unknown },
  context: { onFault(fault: unknown): void },
  onAnswer: NonNullable<FirstLoadOptions['onAnswer']>,
): void {
  if ('refused' in outcome || !('plan' in one)) {
    onAnswer(failedLine(context, one.line, 'refused' in outcome ? outcome.refused : undefined));
    return;
  }
  const { url, content } = one.plan;
  const { status, contentIsNew, contentKept } = outcome;
  const described = { newContent: contentIsNew, short: isShort(content) };
  const written = { url, status: status as Exclude<typeof status, 'unknown'>, contentKept, described };
  onAnswer(writtenLine(one.line.line, written, true));
}
