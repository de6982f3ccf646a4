import type { ClassicLevel } from 'classic-level';

/** With what LevelDB lacks: a sync of all its logs, of the older ones too. */
export type LevelDatabase = ClassicLevel<string, Buffer> & { syncLogs(): Promise<void> };
