import { COMPARE } from './asking/compare.command.ts';
import { COMPOSITION } from './asking/composition.command.ts';
import { FAMILY } from './asking/family.command.ts';
import { SIMILAR } from './asking/similar.command.ts';
import { STATS } from './asking/stats.command.ts';
import { VERSIONS } from './asking/versions.command.ts';
import { CLUSTER } from './cluster/cluster.command.ts';
import { DEDUPE } from './cluster/dedupe.command.ts';
import type { Command } from './command.ts';
import type { OptionName } from './command-options.ts';
import { INGEST } from './ingest/ingest.command.ts';
import { DELETE } from './listing/delete.command.ts';
import { EXPORT } from './listing/export.command.ts';
import { LIST } from './listing/list.command.ts';
import { MOVED } from './moved/moved.command.ts';
import { SERVE } from './serve.command.ts';
import { BACKUP } from './upkeep/backup.command.ts';
import { BACKUPS } from './upkeep/backups.command.ts';
import { CHECK } from './upkeep/check.command.ts';
import { COMPACT } from './upkeep/compact.command.ts';
import { MIGRATE } from './upkeep/migrate.command.ts';
import { PRUNE } from './upkeep/prune.command.ts';
import { REPAIR } from './upkeep/repair.command.ts';
import { RESTORE } from './upkeep/restore.command.ts';
import { URLS } from './upkeep/urls.command.ts';

/** Every command, in the order of the list of commands. */
export const COMMANDS: readonly Command[] = [
  SERVE,
  INGEST,
  SIMILAR,
  COMPARE,
  COMPOSITION,
  MOVED,
  FAMILY,
  CLUSTER,
  DEDUPE,
  VERSIONS,
  LIST,
  EXPORT,
  DELETE,
  STATS,
  CHECK,
  BACKUP,
  RESTORE,
  REPAIR,
  COMPACT,
  MIGRATE,
  URLS,
  BACKUPS,
  PRUNE,
];

export const commandNamed = (name: string): Command | undefined => COMMANDS.find((command) => command.name === name);

/** The names of those that take an option. */
export const commandsTaking = (option: OptionName): string[] =>
  COMMANDS.filter(({ options }) => options[option] !== undefined).map(({ name }) => name);
