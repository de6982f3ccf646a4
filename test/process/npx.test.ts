import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutCheck } from '../support/process/clone.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/tree.ts';

/* `npx shingled`, in a clone after npm ci, and where the package was installed that npm pack makes. */

const PACKAGES = join(root, 'node_modules');
const CLONED = [
  'src',
  'bin',
  'openapi',
  'tools',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  '.npmrc',
];

/** A clone after npm ci: what is installed is that of this one. */
function clone(): string {
  const folder = join(temporaryFolder(), 'clone');
  mkdirSync(folder);
  for (const name of CLONED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
  withoutCheck(folder);
  return folder;
}

/**
 * Of the source the start and the page alone, and behind the start what says so: the whole is built where it is packed, below, and takes 5 s.
 *
 * @returns the path of what is behind the start
 */
function says(folder: string, text: string): string {
  const kept = ['main.ts', 'node-version.ts', 'run.ts', 'page'];
  for (const name of readdirSync(join(folder, 'src'))) {
    if (!kept.includes(name)) rmSync(join(folder, 'src', name), { recursive: true });
  }
  const path = join(folder, 'src', 'run.ts');
  writeFileSync(
    path,
    `export const run = async (host: NodeJS.Process, version: string): Promise<number> =>
  Number(!host.stdout.write(\`\${version} ${text}\\n\`));\n`,
  );
  return path;
}

function run(cwd: string, command: string, ...args: readonly string[]) {
  const env = { ...process.env, npm_config_cache: join(temporaryFolder(), 'cache'), npm_config_offline: 'true' };
  const script = `"$@" 2> err; code=$?; cat err >&2; echo "exit $code"; cat err`;
  const printed = execFileSync('sh', ['-c', script, 'sh', command, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  rmSync(join(cwd, 'err'), { force: true });
  const [out, rest] = printed.split(/^exit /m) as [string, string];
  return { out, code: Number(rest.split('\n', 1)[0]), err: rest.slice(rest.indexOf('\n') + 1) };
}

describe('npx shingled', () => {
  it('builds a clone where that is needed, and says so, and not again', () => {
    const folder = clone();
    says(folder, 'built');
    const first = run(folder, 'npx', 'shingled', '--version');
    expect(first).toEqual({
      ...{ out: '0.1.0 built\n', code: 0 },
      err: 'shingled: building from src, which takes some seconds\n',
    });
    expect(run(folder, 'npx', 'shingled', '--version')).toEqual({ out: '0.1.0 built\n', code: 0, err: '' });
    const later = Date.now() / 1000 + 5;
    utimesSync(says(folder, 'built again'), later, later);
    expect(run(folder, join(folder, 'bin', 'shingled'), '--version')).toMatchObject({
      ...{ out: '0.1.0 built again\n', code: 0, err: expect.stringContaining('building from src') },
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
  });

  it('says what is missing in a clone without packages', () => {
    const folder = clone();
    rmSync(join(folder, 'node_modules'));
    const { code, err } = run(folder, join(folder, 'bin', 'shingled'), '--version');
    expect(code).toBe(2);
    expect(err).toContain('run npm ci first');
  });

  it('works where the package is installed', () => {
    const place = temporaryFolder();
    const tarball = run(clone(), 'npm', 'pack', '--silent', '--pack-destination', place).out.trim();
    const installed = join(place, 'node_modules');
    mkdirSync(installed);
    // what it needs lies beside it, as npm puts it
    for (const name of readdirSync(PACKAGES)) {
      if (name !== '.bin') symlinkSync(join(PACKAGES, name), join(installed, name));
    }
    run(place, 'tar', 'xzf', tarball);
    cpSync(join(place, 'package'), join(installed, 'shingled'), { recursive: true });
    mkdirSync(join(installed, '.bin'));
    symlinkSync(join('..', 'shingled', 'bin', 'shingled'), join(installed, '.bin', 'shingled'));
    symlinkSync(join(PACKAGES, '.bin', 'node'), join(installed, '.bin', 'node'));
    expect(readdirSync(join(installed, 'shingled')).toSorted()).toEqual(['bin', 'dist', 'openapi', 'package.json']);
    expect(readdirSync(join(installed, 'shingled', 'dist', 'page')).toSorted()).toEqual(['assets', 'index.html']);
    const caller = join(place, 'caller.mts');
    writeFileSync(
      caller,
      `import type { SimilarAnswer } from 'shingled/types';\nexport const first = (answer: SimilarAnswer): string | undefined => answer.matches[0]?.sources[0]?.url;\n`,
    );
    expect(
      run(place, join(PACKAGES, 'typescript', 'bin', 'tsc'), '--noEmit', '--strict', '--module', 'nodenext', caller),
    ).toMatchObject({ code: 0 });
    expect(run(place, 'npx', 'shingled', '--version')).toEqual({ out: '0.1.0\n', code: 0, err: '' });
    const { code, err } = run(place, 'npx', 'shingled', 'stats', '--data-dir', 'none');
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('(index-missing)') });
  });
});
