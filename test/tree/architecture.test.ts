import { describe, expect, it } from 'vitest';
import { breaches, RULES, reachedFrom } from '../support/tree/import-rules.ts';
import { readSource, type SourceFile } from '../support/tree/imports.ts';
import { houseOf } from '../support/tree/rooms.ts';
import { filesUnder, readText } from '../support/tree/tree.ts';

const sources = new Map<string, SourceFile>(
  ['.ts', '.tsx']
    .flatMap((ending) => filesUnder('src', ending))
    .map((path) => [path.replace(/^src\//, ''), readSource(path, readText(path))]),
);

/** The tree as it is, with one more file (or one file replaced) in it. */
const withFile = (path: string, text: string) => new Map([...sources, [path, readSource(path, text)]]);

describe('the architecture', () => {
  it('lets every file import only what its folder may', () => {
    expect(sources.size).toBeGreaterThan(10);
    expect(breaches(sources)).toEqual([]);
  });

  it('has a rule for every folder, and no rule for a folder that is not there', () => {
    const folders = new Set(
      [...sources.keys()].filter((path) => path.includes('/')).map((path) => path.split('/')[0]!),
    );
    expect(
      Object.keys(RULES)
        .filter((rule) => rule !== 'errors' && rule !== 'limit-row')
        .sort(),
    ).toEqual([...folders].sort());
  });

  it('reads the configuration, and prints help, without the engine of the store', () => {
    for (const start of ['config.ts', 'cli/cli.ts', 'logger.ts', 'shutdown.ts']) {
      const reached = [...reachedFrom(start, sources)];
      expect(reached.filter((name) => name.startsWith('store/level/') || name.endsWith('level'))).toEqual([]);
    }
    expect([...reachedFrom('open-index.ts', sources)]).toContain('level');
  });

  it.each([
    ['a plain import', 'core/planted.ts', `import { ERRORS } from '../errors.ts'; export const x = ERRORS;`],
    ['a type-only import', 'core/planted.ts', `import type { Store } from '../store/port.ts'; export type X = Store;`],
    ['a type by import()', 'core/planted.ts', `export type X = import('../store/port.ts').Store;`],
    ['a re-export', 'core/planted.ts', `export { ERRORS } from '../errors.ts'; export const x = 1;`],
    ['a re-export of all', 'http/planted.ts', `export * from '../store/port.ts'; export const x = 1;`],
    ['a dynamic import', 'core/planted.ts', `export const x = () => import('../errors.ts');`],
    ['an import for its effect', 'core/planted.ts', `import '../errors.ts';`],
    ['a built-in of Node', 'core/planted.ts', `import { hash } from 'node:crypto'; export const x = hash;`],
    [
      'a part of an allowed built-in',
      'extract/planted.ts',
      `import { x } from 'node:fs/promises'; export const y = x;`,
    ],
    ['a package', 'core/planted.ts', `import { Level } from 'level'; export const x = Level;`],
    ['a part of a package', 'service/planted.ts', `import v from 'typebox/value'; export const x = v;`],
    [
      'a value where only types are allowed',
      'http/planted.ts',
      `import { modulusFor } from '../core/modulus.ts'; export const x = modulusFor;`,
    ],
    [
      'an adapter behind its port',
      'service/planted.ts',
      `import { x } from '../store/planted.ts'; export const y = x;`,
    ],
    ['process outside of main', 'service/planted.ts', `export const x = process.env;`],
    ['process by its import', 'service/planted.ts', `import { env } from 'node:process'; export const x = env;`],
    ['a default export', 'core/planted.ts', `export default 1;`],
    ['Node in the page', 'page/planted.ts', `import { hash } from 'node:crypto'; export const x = hash;`],
    [
      'the service in the page',
      'page/planted.tsx',
      `import { SERVICE_LIMITS } from '../service/limits.ts'; export const x = SERVICE_LIMITS;`,
    ],
    [
      'a type of the service in the page',
      'page/planted.ts',
      `import type { Service } from '../service/service.ts'; export type X = Service;`,
    ],
    ['a barrel', 'core/planted.ts', `export { modulusFor } from './modulus.ts';`],
    ['a file that is not there', 'core/planted.ts', `import { x } from './absent.ts'; export const y = x;`],
    ['a folder without a rule', 'utils/planted.ts', `import { x } from '../errors.ts'; export const y = x;`],
  ])('catches %s', (_kind, path, text) => {
    const there = breaches(sources);
    const found = breaches(withFile(path, text)).filter((sentence) => !there.includes(sentence));
    expect(found.length).toBeGreaterThan(0);
    for (const sentence of found) expect(sentence).toMatch(/planted\.tsx?/);
  });

  it('catches a circle of imports', () => {
    const circle = withFile('core/one.ts', `import { two } from './two.ts'; export const one = two;`);
    circle.set(
      'core/two.ts',
      readSource('core/two.ts', `import { one } from './one.ts'; export const two = () => one;`),
    );
    expect(breaches(circle)).toContain('imports go in a circle: core/one.ts -> core/two.ts -> core/one.ts');
  });

  it('catches a circle of types', () => {
    const circle = withFile('core/one.ts', `import type { Two } from './two.ts'; export type One = Two;`);
    circle.set(
      'core/two.ts',
      readSource('core/two.ts', `import type { One } from './one.ts'; export type Two = One | 2;`),
    );
    expect(breaches(circle)).toContain('imports go in a circle: core/one.ts -> core/two.ts -> core/one.ts');
  });

  it('refuses a dynamic import whose target cannot be read off', () => {
    expect(() => readSource('a.ts', 'export const x = (name: string) => import(name);')).toThrow('plain text');
  });
});

describe('the rooms of a folder', () => {
  const HOUSES = [
    'core',
    'http',
    'page',
    'service',
    'extract',
    'fetch',
    'store',
    'store/level',
    'store/level/segments',
  ];

  it.each(HOUSES)('of %s import in one direction', (folder) => {
    const { circles, rooms } = houseOf(folder, sources);
    expect(rooms).toBeGreaterThan(1);
    expect(circles).toEqual([]);
  });

  it('of the engine are few, and stand on few layers', () => {
    const { rooms, arrows, layers } = houseOf('store/level', sources);
    expect(rooms).toBeLessThanOrEqual(28);
    expect(arrows).toBeLessThanOrEqual(106);
    expect(layers).toBeLessThanOrEqual(10);
  });

  it('that import from one another are a circle', () => {
    const planted = withFile(
      'store/level/format/planted.ts',
      `import type { X } from '../writing/writer.ts'; export type Y = X;`,
    );
    expect(houseOf('store/level', planted).circles.join()).toContain('format -> writing');
  });
});
