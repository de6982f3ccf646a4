import type { FillAccess, IndexAccess } from '../client/port.ts';
import type { ClusterAnswers } from '../cluster/result/cluster-answers.ts';
import type { ResultSummary } from '../cluster/result/result-folder.ts';
import type { ClusterRequest, ClusterRun } from '../commands/cluster-commands.ts';
import type { DedupeReport, DedupeRequest, DedupeRun } from '../commands/dedupe/port.ts';
import type {
  AdvisedReport,
  CompactResult,
  Progress,
  PruneRequest,
  PruneResult,
  RepairResult,
  RestoreResult,
} from '../commands/index-commands.ts';
import type { MigrateResult, UrlsResult, WriteTexts } from '../commands/upgrade-commands.ts';
import type { IngestSources } from '../ingest/sources.ts';
import type { BackupsAnswer } from '../service/api.ts';
import type { BackupOutcome } from '../store/port.ts';

/** What can be set going. The process hands it in, so that no adapter is chosen here. */
export interface CliCommands {
  /** Resolves once the service listens; the process then runs until a signal ends it. */
  serve(dataDir: string | null): Promise<void>;
  /** The others want an index that no process owns. */
  check(dataDir: string | null, progress: Progress): Promise<AdvisedReport>;
  /** Needs no index. */
  checkBackup(backup: string, progress: Progress): Promise<AdvisedReport>;
  /** An index that questions are asked of, to be closed; only a service elsewhere may use it at the same time. */
  open(where: Where): Promise<IndexAccess>;
  /** The same, to be written to: by a first load, where it is in a folder and empty. @param until where it aborts, that ends */
  fill(where: Where, until: AbortSignal): Promise<FillAccess>;
  backup(dataDir: string | null, target: string): Promise<BackupOutcome>;
  restore(dataDir: string | null, backup: string, progress: Progress): Promise<RestoreResult>;
  repair(dataDir: string | null, progress: Progress): Promise<RepairResult>;
  compact(dataDir: string | null): Promise<CompactResult>;
  /** @param backup a proven one is needed; null = without one */
  migrate(dataDir: string | null, backup: string | null, progress: Progress): Promise<MigrateResult>;
  /** @param write is given many lines at once, and waits where nobody takes them */
  urls(dataDir: string | null, backup: string | null, write: WriteTexts): Promise<UrlsResult>;
  /** What `ingest` reads from; fetches lists by the settings in force. @param input standard input */
  sources(dataDir: string | null, input: AsyncIterable<Uint8Array>): Promise<IngestSources>;
  /** Clusters a corpus; what follows from that stays in a folder. */
  cluster(request: ClusterRequest, run: ClusterRun): Promise<ResultSummary>;
  /** Removes the copies from a corpus. */
  dedupe(request: DedupeRequest, run: DedupeRun): Promise<DedupeReport>;
  /** What such a folder says, to be closed; null where nothing has come to its end in it. */
  clusters(folder: string): Promise<ClusterAnswers | null>;
  /** Of a folder, or of BACKUP_DIR; also while a service runs. */
  backups(folder: string | null): Promise<BackupsAnswer>;
  prune(folder: string | null, how: PruneRequest, progress: Progress): Promise<PruneResult>;
}

/** Where an index is: in a folder, unless a service is named. */
export interface Where {
  readonly dataDir: string | null;
  readonly server: string | null;
  readonly keyFile: string | null;
  /** Whether there must be one: else it is made where its folder is absent or empty. */
  readonly mustExist: boolean;
}
