import { describe, expect, it } from 'vitest';
import { readSource } from '../support/tree/imports.ts';
import { filesUnder, readText } from '../support/tree/tree.ts';

const manifest = JSON.parse(readText('package.json')) as {
  bin: Record<string, string>;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

/** The packages that files import, types apart. */
function packagesIn(folder: string): Set<string> {
  const specifiers = filesUnder(folder, '.ts').flatMap((path) => readSource(path, readText(path)).imports);
  const names = specifiers
    .filter(({ specifier, typeOnly }) => !typeOnly && !/^(\.|node:)/.test(specifier))
    .map(({ specifier }) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return new Set(names);
}

describe('the package', () => {
  it('really uses each package that it was asked to be made of', () => {
    const asked = ['fastify', 'typebox', '@fastify/swagger', '@fastify/swagger-ui', 'undici', 'cheerio', 'htmlparser2'];
    expect([...packagesIn('src')]).toEqual(expect.arrayContaining([...asked, 'level', 'pino', 'piscina']));
  });

  it('pins every version exactly', () => {
    const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
    for (const [name, version] of Object.entries(all)) expect(version, name).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/);
  });

  it('starts by a file that the build makes', () => {
    expect(manifest.bin).toEqual({ shingled: 'bin/shingled' });
    expect(readText('bin/shingled')).toContain(
      'exec "$node" --enable-source-maps --max-semi-space-size=32 --no-parallel-scavenge "$root/dist/main.js"',
    );
    expect(readText('src/main.ts')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const start = 'node --enable-source-maps --max-semi-space-size=32 --no-parallel-scavenge dist/main.js';
    const memory = ['MALLOC_ARENA_MAX=2', 'MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=16777216'];
    expect(manifest.scripts['start']).toBe(`exec env ${memory.join(' ')} ${start}`);
    for (const setting of memory) expect(readText('Dockerfile')).toContain(`ENV ${setting}\n`);
    expect(readText('Dockerfile')).toContain(`CMD ${JSON.stringify(start.split(' ')).replaceAll(',', ', ')}`);
  });

  it('is compiled by its own TypeScript, not by whichever of the two that are installed owns .bin/tsc', () => {
    for (const script of [...Object.values(manifest.scripts), readText('bin/shingled')]) {
      expect(script).not.toMatch(/(^|[\s(])tsc\b/m);
    }
    const owner = (path: string) => JSON.parse(readText(`node_modules/${path}/package.json`)).version;
    expect(manifest.scripts['build']).toContain('node node_modules/typescript/bin/tsc');
    expect(owner('typescript')).toBe(manifest.devDependencies['typescript']);
  });

  it('checks types, lint, unused code, the kernel and the OpenAPI document before the tests', () => {
    const parts = manifest.scripts['pretest']!.split(' && ').map((part) => part.replace('npm run --silent ', ''));
    expect(parts).toEqual(['typecheck', 'lint', 'unused', 'kernel:check', 'openapi:check', 'openapi:lint']);
    for (const part of parts) expect(manifest.scripts).toHaveProperty([part]);
  });
});
