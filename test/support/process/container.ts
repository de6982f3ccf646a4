import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { parse } from 'yaml';
import { readText, root } from '../tree/tree.ts';
import { freePort } from './free-port.ts';

/*
 * The image in a real container, by docker or podman, as docker-compose.yml says. To build it takes minutes, so the tests that
 * need one are for `npm run test:container`, which fails where neither is at work.
 */

const IMAGE = 'shingled:test';
const SECRET = 'a-secret-of-this-test';
/** Engines ask for more than some machines allow. */
const ULIMITS = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=4096:4096'];

/** Whether tests in a container are left out. */
export const noContainers = process.env['SHINGLED_TEST_CONTAINER'] === undefined;
export const engine = noContainers ? null : (['docker', 'podman'].find(isAtWork) ?? null);

/** Runs the engine to its end. @returns what it printed @throws where it fails */
export function engineRun(...args: readonly string[]): string {
  if (engine === null) throw new Error('neither docker nor podman is at work');
  return execFileSync(engine, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** Builds the image of this tree; what has not changed since is not built again. */
export function buildImage(): void {
  // podman: the health check is no part of its own format, and steps need no namespaces of their own
  const ofPodman = engine === 'podman' ? ['--format', 'docker', '--isolation', 'chroot'] : [];
  engineRun('build', ...ofPodman, '--network', 'host', '--tag', IMAGE, root);
}

/** Runs a command of the shell in a container that is gone afterwards. @returns what it printed */
export function runOnce(command: string): string {
  return engineRun('run', '--rm', ...ULIMITS, IMAGE, 'sh', '-c', command);
}

/** What docker-compose.yml says of the service, as arguments of `run`. */
function composeArguments(): string[] {
  const { services } = parse(readText('docker-compose.yml')) as {
    services: { shingled: Record<'tmpfs' | 'cap_drop' | 'security_opt', string[]> & Record<string, unknown> };
  };
  const { read_only, tmpfs, cap_drop, security_opt, mem_limit, pids_limit } = services.shingled;
  return [
    ...(read_only === true ? ['--read-only'] : []),
    ...tmpfs.flatMap((path) => ['--tmpfs', path]),
    ...cap_drop.flatMap((name) => ['--cap-drop', name]),
    ...security_opt.flatMap((option) => ['--security-opt', option]),
    ...['--memory', String(mem_limit), '--pids-limit', String(pids_limit)],
    ...ULIMITS,
  ];
}

export interface Container {
  readonly name: string;
  /** Resolves with the answer of the service. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Resolves when it is ready for requests. @throws with its log where it ends before that */
  ready(): Promise<void>;
  /** Runs a command inside. */
  exec(...command: readonly string[]): { readonly status: number | null; readonly stdout: string };
  log(): string;
  /** Resolves with the exit code, and how long it took. */
  stop(graceS: number): { readonly code: number; readonly ms: number };
  /** The most memory that its processes and its files in memory have taken so far, in bytes. */
  peakBytes(): number;
  remove(): void;
}

/** @param mount of /data, such as `volume-name:/data`, as arguments of `run` */
export async function startContainer(mount: readonly string[], env: Record<string, string> = {}): Promise<Container> {
  const name = `shingled-${randomUUID().slice(0, 8)}`;
  const PORT = await freePort();
  const all = { HOST: '127.0.0.1', PORT, API_KEYS: `main:read+write+admin:${SECRET}`, ...env };
  const settings = Object.entries(all).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const how = ['--detach', '--name', name, '--network', 'host', ...composeArguments()];
  engineRun('run', ...how, ...settings, ...mount, IMAGE);
  const stateOf = (what: string) => engineRun('inspect', '--format', `{{.State.${what}}}`, name);
  const log = () => {
    const { stdout, stderr } = spawnSync(engine!, ['logs', name], { encoding: 'utf8' });
    return stdout + stderr;
  };
  const ask = (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${SECRET}`, ...(init.headers as Record<string, string>) };
    return fetch(`http://127.0.0.1:${PORT}${path}`, { ...init, headers });
  };
  return {
    ...{ name, log, ask },
    async ready() {
      for (;;) {
        const answer = await ask('/health/ready').catch(() => null);
        if (answer?.ok === true) return;
        if (stateOf('Running') !== 'true') throw new Error(`it ended with ${stateOf('ExitCode')}: ${log()}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    exec: (...command) => spawnSync(engine!, ['exec', name, ...command], { encoding: 'utf8' }),
    stop(graceS) {
      const startedAt = performance.now();
      engineRun('stop', '--time', String(graceS), name);
      return { code: Number(stateOf('ExitCode')), ms: performance.now() - startedAt };
    },
    peakBytes: () => {
      const files = '/sys/fs/cgroup/memory.peak /sys/fs/cgroup/memory/memory.max_usage_in_bytes';
      const { stdout } = spawnSync(engine!, ['exec', name, 'sh', '-c', `cat ${files} 2>/dev/null`], {
        encoding: 'utf8',
      });
      return Number(stdout);
    },
    remove: () => void spawnSync(engine!, ['rm', '--force', '--volumes', name]),
  };
}

function isAtWork(name: string): boolean {
  return spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0;
}
