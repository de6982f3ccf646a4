import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runCli } from './cli/cli.ts';
import type { CliCommands } from './cli/commands.ts';
import { readConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { createShutdown } from './shutdown.ts';

/** Whatever is made, the index, its key, backups, is for the user of the process alone. */
const UMASK = 0o077;

/**
 * Runs the command line that a process was started with.
 *
 * @returns its exit code
 */
export async function run(host: NodeJS.Process, version: string): Promise<number> {
  host.umask(UMASK);
  return runCli(host.argv.slice(2), commandsOf(host, version), version, {
    out: (text) => host.stdout.write(text),
    err: (text) => host.stderr.write(text),
    flow: (texts) => flow(texts, host.stdout),
  });
}

/** Writes texts as they are taken; whoever has enough, as `head` has, need not take all. */
async function flow(texts: Iterable<string>, to: NodeJS.WritableStream): Promise<void> {
  try {
    await pipeline(Readable.from(texts), to, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

function commandsOf(host: NodeJS.Process, version: string): CliCommands {
  const { pid } = host;
  /** The settings in force; a folder named on the command line comes before DATA_DIR. */
  const read = (dataDir: string | null) => readConfig(dataDir === null ? host.env : { ...host.env, DATA_DIR: dataDir });
  return {
    serve: (dataDir) => serve(host, version, read(dataDir)),
    check: async (dataDir, progress) => {
      const { config } = read(dataDir);
      return (await import('./commands/index-commands.ts')).checkIndex(config, pid, progress);
    },
    checkBackup: async (backup, progress) => {
      const { config } = read(null);
      return (await import('./commands/index-commands.ts')).checkBackup(config, pid, backup, progress);
    },
    backups: async (folder) => (await import('./commands/index-commands.ts')).backupsIn(read(null).config, folder),
    prune: async (folder, how, progress) =>
      (await import('./commands/index-commands.ts')).pruneBackupsIn(read(null).config, folder, how, progress),
    backup: async (dataDir, target) => {
      const { config } = read(dataDir);
      return (await import('./commands/index-commands.ts')).backupIndex(config, pid, target);
    },
    restore: async (dataDir, backup, progress) => {
      const { config } = read(dataDir);
      return (await import('./commands/index-commands.ts')).restoreIndex(config, pid, backup, progress);
    },
    repair: async (dataDir, progress) => {
      const { config } = read(dataDir);
      return (await import('./commands/index-commands.ts')).repairIndex(config, pid, progress);
    },
    migrate: async (dataDir, backup, progress) => {
      const { config } = read(dataDir);
      return (await import('./commands/upgrade-commands.ts')).migrateIndex(config, pid, backup, progress);
    },
    urls: async (dataDir, backup, write) => {
      const { config } = read(dataDir);
      return (await import('./commands/upgrade-commands.ts')).listUrls(config, pid, backup, write);
    },
    compact: async (dataDir) => {
      const { config } = read(dataDir);
      return (await import('./commands/index-commands.ts')).compactIndex(
        config,
        pid,
        await createLogger('error', false),
      );
    },
    stats: async (dataDir) => {
      const { config } = read(dataDir);
      return (await import('./start.ts')).indexStats(config, { version, pid }, await createLogger('error', false));
    },
  };
}

async function serve(
  host: NodeJS.Process,
  version: string,
  { config, warnings }: ReturnType<typeof readConfig>,
): Promise<void> {
  const log = await createLogger(config.LOG_LEVEL, host.stdout.isTTY);
  for (const warning of warnings) log.warn(warning);
  const { startService } = await import('./start.ts');
  const starting = startService(config, { version, pid: host.pid }, log);
  const shutdown = createShutdown({
    drain: async () => (await starting).stop(),
    timeoutMs: config.DRAIN_TIMEOUT_MS,
    exit: (code) => host.exit(code),
    now: () => performance.now(),
    log,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const before = host.listeners(signal) as NodeJS.SignalsListener[];
    // on, not once: what comes twice must not fall through to the default, which kills
    host.on(signal, shutdown.onSignal);
    // until now nothing was open, so they ended the process; removed first, a signal just caught would reach nobody
    for (const listener of before) host.off(signal, listener);
  }
  host.on('uncaughtException', shutdown.onFault);
  host.on('unhandledRejection', (reason) => shutdown.onFault(reason, 'unhandledRejection'));
  await starting;
}
