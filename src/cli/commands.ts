import type { BackupsAnswer, StatsAnswer } from '../service/api.ts';

/* What the command line can set going, and what comes back. The process hands it in, so that no adapter is chosen here. */

export type Progress = (line: string) => void;
export type WriteTexts = (texts: Iterable<string>) => Promise<void>;

export interface CliCommands {
  /** Resolves once the service listens; the process then runs until a signal ends it. */
  serve(dataDir: string | null): Promise<void>;
  /** The others want an index that no process owns. */
  check(dataDir: string | null, progress: Progress): Promise<CheckReport>;
  /** Needs no index. */
  checkBackup(backup: string, progress: Progress): Promise<CheckReport>;
  stats(dataDir: string | null): Promise<StatsAnswer>;
  backup(dataDir: string | null, target: string): Promise<BackupResult>;
  restore(dataDir: string | null, backup: string, progress: Progress): Promise<RestoreResult>;
  repair(dataDir: string | null, progress: Progress): Promise<RepairResult>;
  compact(dataDir: string | null): Promise<CompactResult>;
  /** @param backup a proven one is needed; null = without one */
  migrate(dataDir: string | null, backup: string | null, progress: Progress): Promise<MigrateResult>;
  /** @param write is given many lines at once, and waits where nobody takes them */
  urls(dataDir: string | null, backup: string | null, write: WriteTexts): Promise<UrlsResult>;
  /** Of a folder, or of BACKUP_DIR; also while a service runs. */
  backups(folder: string | null): Promise<BackupsAnswer>;
  prune(folder: string | null, how: PruneRequest, progress: Progress): Promise<PruneResult>;
}

export type Counts = Readonly<Record<'sources' | 'contents' | 'postings' | 'versions', number>>;

/** What is wrong with an index or a backup, one sentence each, and what was counted on the way where that was possible. */
export interface CheckReport {
  readonly problems: readonly string[];
  readonly counts: Counts | null;
  /** What to do about the problems. */
  readonly advice: string | null;
}

export interface PruneRequest {
  readonly keep: number;
  /** Only say what would be deleted. */
  readonly isTrial: boolean;
}

export interface PruneResult {
  readonly kept: readonly string[];
  readonly deleted: readonly string[];
  readonly leftAlone: readonly { readonly name: string; readonly problem: string }[];
}

export interface BackupResult {
  readonly path: string;
  readonly createdAt: string;
  readonly files: number;
  readonly bytes: number;
  readonly linkedFiles: number;
  readonly elapsedMs: number;
}

export interface RestoreResult {
  readonly path: string;
  /** When the backup was taken. */
  readonly createdAt: string;
  readonly counts: Counts;
}

interface Totals {
  readonly sources: number;
  readonly contents: number;
  readonly postings: number;
}

/** What could not be read, what was lost with it, and what there is now. */
export interface RepairResult {
  /** Where the old files are now. */
  readonly keptIn: string;
  readonly manifest: boolean;
  readonly highWater: boolean;
  readonly missing: readonly string[];
  readonly unreadable: readonly string[];
  readonly blocks: number;
  readonly damagedFiles: readonly string[];
  readonly logPlaces: number;
  readonly batchesLost: number;
  readonly totals: Totals;
  readonly before: Totals | null;
  readonly rows: {
    readonly records: number;
    readonly sources: number;
    readonly versions: number;
    readonly pastContents: number;
    readonly unheld: number;
    readonly description: boolean;
  };
  readonly lostUrlCount: number;
  readonly lostUrls: readonly string[];
}

export interface CompactResult {
  readonly diskBytesBefore: number | null;
  readonly diskBytesAfter: number | null;
  readonly elapsedMs: number;
}

export interface MigrateResult {
  readonly path: string;
  /** The formats that it had, and has. */
  readonly from: number;
  readonly to: number;
}

export interface UrlsResult {
  readonly path: string;
  readonly urls: number;
  /** Whether all that there is could be read. */
  readonly isWhole: boolean;
}
