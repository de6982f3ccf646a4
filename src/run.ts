import type { Logger } from 'pino';
import { runCli } from './cli/cli.ts';
import type { CliCommands, Where } from './cli/cli-commands.ts';
import { EXIT_CODES, exitCodeOf, explain } from './cli/exit-codes.ts';
import { Output } from './cli/output.ts';
import { shownAsMessage } from './cli/progress-line.ts';
import type { CliStreams } from './cli/streams.ts';
import type { IndexAccess } from './client/port.ts';
import type { Config } from './config.ts';
import { createShutdown } from './shutdown.ts';
import type { RunningService } from './start.ts';

/** Whatever is made, the index, its key, backups, is for the user of the process alone. */
const UMASK = 0o077;

/**
 * Runs the command line that a process was started with.
 *
 * @param replaced what of it is set going in another way, as tests want
 * @returns its exit code
 */
export async function run(host: NodeJS.Process, version: string, replaced: Partial<CliCommands> = {}): Promise<number> {
  host.umask(UMASK);
  const output = new Output(host.stdout, host.stdout.isTTY);
  const streams = streamsOf(host, output);
  const code = await runCli(host.argv.slice(2), { ...commandsOf(host, version), ...replaced }, version, streams);
  const unwritten = await output.end();
  if (unwritten === null || code !== EXIT_CODES.done) return code;
  streams.err(explain(unwritten));
  return exitCodeOf(unwritten);
}

function streamsOf(host: NodeJS.Process, output: Output): CliStreams {
  const { stderr } = host;
  return {
    out: (text) => output.write(text),
    err: (text) => stderr.write(shownAsMessage(text)),
    flow: (texts) => output.flow(texts),
    outBytes: (bytes) => output.writeBytes(bytes),
    // not before it is read: what is opened is waited for
    get input() {
      return host.stdin;
    },
    isTerminal: stderr.isTTY,
    isOutputTerminal: host.stdout.isTTY,
    columns: stderr.columns || COLUMNS,
    catchInterrupts: () => catchInterrupts(host),
  };
}

/** Of a terminal that does not say, or says 0. */
const COLUMNS = 80;

function catchInterrupts(host: NodeJS.Process): AbortSignal {
  const caught = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const before = host.listeners(signal) as NodeJS.SignalsListener[];
    host.once(signal, (...how) => {
      for (const listener of before) host.on(signal, listener);
      caught.abort(how[0]);
    });
    for (const listener of before) host.off(signal, listener);
  }
  return caught.signal;
}

function commandsOf(host: NodeJS.Process, version: string): CliCommands {
  const { pid } = host;
  const configOf = async (dataDir: string | null) => (await read(host, dataDir)).config;
  const configOfIndex = async ({ dataDir, mustExist }: Pick<Where, 'dataDir' | 'mustExist'>) => {
    const config = await configOf(dataDir);
    return { ...config, INDEX_MUST_EXIST: mustExist || config.INDEX_MUST_EXIST };
  };
  const log = () => logAt('error', false);
  // each loads what it needs, and no more
  const index = () => import('./commands/index-commands.ts');
  const clusters = () => import('./commands/cluster-commands.ts');
  const upgrade = () => import('./commands/upgrade-commands.ts');
  return {
    serve: async (dataDir) => serve(host, version, await read(host, dataDir)),
    check: async (dataDir, progress) => (await index()).checkIndex(await configOf(dataDir), pid, progress),
    checkBackup: async (backup, progress) => (await index()).checkBackup(await configOf(null), pid, backup, progress),
    backups: async (folder) => (await index()).backupsIn(await configOf(null), folder),
    prune: async (folder, how, progress) => (await index()).pruneBackupsIn(await configOf(null), folder, how, progress),
    backup: async (dataDir, target) => (await index()).backupIndex(await configOf(dataDir), pid, target),
    restore: async (dataDir, backup, progress) =>
      (await index()).restoreIndex(await configOf(dataDir), pid, backup, progress),
    repair: async (dataDir, progress) => (await index()).repairIndex(await configOf(dataDir), pid, progress),
    migrate: async (dataDir, backup, progress) =>
      (await upgrade()).migrateIndex(await configOf(dataDir), pid, backup, progress),
    urls: async (dataDir, backup, write) => (await upgrade()).listUrls(await configOf(dataDir), pid, backup, write),
    compact: async (dataDir) => (await index()).compactIndex(await configOf(dataDir), pid, await log()),
    cluster: async (request, clusterRun) =>
      (await clusters()).clusterInputs(await configOf(null), pid, request, clusterRun),
    dedupe: async (request, dedupeRun) =>
      (await import('./commands/dedupe/dedupe-commands.ts')).dedupeInputs(
        await configOf(null),
        pid,
        request,
        dedupeRun,
      ),
    clusters: async (folder) => (await clusters()).openClusters(folder),
    sources: async (dataDir, input) =>
      (await import('./commands/ingest-sources.ts')).createIngestSources(await configOf(dataDir), input),
    open: async ({ server, keyFile, ...where }) => {
      if (server !== null) return openServer(server, keyFile);
      const { openFolder } = await import('./commands/folder-access.ts');
      return openFolder(await configOfIndex(where), { version, pid }, await log());
    },
    fill: async ({ server, keyFile, ...where }, until) => {
      if (server !== null) return openServer(server, keyFile);
      const { openToFill } = await import('./commands/folder-access.ts');
      return openToFill(await configOfIndex(where), { version, pid }, await log(), until);
    },
  };
}

interface Settings {
  readonly config: Config;
  readonly warnings: readonly string[];
}

/** The settings in force; a folder named on the command line comes before DATA_DIR. */
async function read({ env }: NodeJS.Process, dataDir: string | null): Promise<Settings> {
  const { readConfig } = await import('./config.ts');
  return readConfig(dataDir === null ? env : { ...env, DATA_DIR: dataDir });
}

async function logAt(level: Config['LOG_LEVEL'], isTerminal: boolean): Promise<Logger> {
  const { createLogger } = await import('./logger.ts');
  return createLogger(level, isTerminal);
}

async function openServer(server: string, keyFile: string | null): Promise<IndexAccess> {
  const { createRemoteService } = await import('./client/remote-service.ts');
  const { readKeyFile } = await import('./client/key-file.ts');
  return createRemoteService({ server, apiKey: keyFile === null ? null : readKeyFile(keyFile) });
}

async function serve(host: NodeJS.Process, version: string, { config, warnings }: Settings): Promise<void> {
  const log = await logAt(config.LOG_LEVEL, host.stdout.isTTY);
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
  const onSignal: NodeJS.SignalsListener = (signal) => {
    // with a file of keys, SIGHUP asks to read it again; without one, the terminal was closed
    if (signal !== 'SIGHUP' || config.API_KEYS_FILE === null) shutdown.onSignal(signal);
    else void starting.then((service) => reloadKeys(host, config, service, log)).catch(() => {});
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const before = host.listeners(signal) as NodeJS.SignalsListener[];
    // on, not once: what comes twice must not fall through to the default, which kills
    host.on(signal, onSignal);
    // until now nothing was open, so they ended the process; removed first, a signal just caught would reach nobody
    for (const listener of before) host.off(signal, listener);
  }
  host.on('uncaughtException', shutdown.onFault);
  host.on('unhandledRejection', (reason) => shutdown.onFault(reason, 'unhandledRejection'));
  await starting;
}

/** Reads API_KEYS_FILE again. Where it cannot be used the keys stay as they are, and the log says why. */
async function reloadKeys(host: NodeJS.Process, config: Config, service: RunningService, log: Logger): Promise<void> {
  try {
    const { config: now } = await read(host, config.DATA_DIR);
    service.replaceKeys(now.API_KEYS);
    const { keysText } = await import('./start.ts');
    log.info(`SIGHUP: API_KEYS_FILE was read again; ${keysText(now.API_KEYS)}`);
  } catch (error) {
    log.error(
      `SIGHUP: the API keys stay as they were, since API_KEYS_FILE cannot be used. ${(error as Error).message}`,
    );
  }
}
