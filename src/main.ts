#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runCli } from './cli/cli.ts';
import { readConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { createShutdown } from './shutdown.ts';

const { pid } = process;
const manifest = new URL('../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };

/** The settings in force; a folder named on the command line comes before DATA_DIR. */
function configFor(dataDir: string | null) {
  return readConfig(dataDir === null ? process.env : { ...process.env, DATA_DIR: dataDir });
}

async function serve(dataDir: string | null): Promise<void> {
  const { config, warnings } = configFor(dataDir);
  const log = await createLogger(config.LOG_LEVEL, process.stdout.isTTY);
  for (const warning of warnings) log.warn(warning);
  const { startService } = await import('./start.ts');
  const starting = startService(config, { version, pid }, log);
  const shutdown = createShutdown({
    drain: async () => (await starting).stop(),
    timeoutMs: config.DRAIN_TIMEOUT_MS,
    exit: (code) => process.exit(code),
    now: () => performance.now(),
    log,
  });
  // on, not once: what comes twice must not fall through to the default, which kills
  process.on('SIGINT', shutdown.onSignal);
  process.on('SIGTERM', shutdown.onSignal);
  process.on('uncaughtException', shutdown.onFault);
  process.on('unhandledRejection', (reason) => shutdown.onFault(reason, 'unhandledRejection'));
  await starting;
}

process.exitCode = await runCli(
  process.argv.slice(2),
  {
    serve,
    check: async (dataDir, progress) => {
      const { config } = configFor(dataDir);
      return (await import('./index-commands.ts')).checkIndex(config, pid, progress);
    },
    backup: async (dataDir, target) => {
      const { config } = configFor(dataDir);
      return (await import('./index-commands.ts')).backupIndex(config, pid, target);
    },
    restore: async (dataDir, backup, progress) => {
      const { config } = configFor(dataDir);
      return (await import('./index-commands.ts')).restoreIndex(config, pid, backup, progress);
    },
    repair: async (dataDir, progress) => {
      const { config } = configFor(dataDir);
      return (await import('./index-commands.ts')).repairIndex(config, pid, progress);
    },
    compact: async (dataDir) => {
      const { config } = configFor(dataDir);
      return (await import('./index-commands.ts')).compactIndex(config, pid, await createLogger('error', false));
    },
    stats: async (dataDir) => {
      const { config } = configFor(dataDir);
      return (await import('./start.ts')).indexStats(config, { version, pid }, await createLogger('error', false));
    },
  },
  version,
  { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) },
);
