import type { ClassicLevel } from 'classic-level';
import type { NearRows } from './near-rows.ts';

/** With what LevelDB lacks: a sync of all its logs, of the older ones too; and rows at once where they lie in memory. */
export type LevelDatabase = ClassicLevel<string, Buffer> & { syncLogs(): Promise<void>; readonly rows: NearRows };
