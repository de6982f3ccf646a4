import { describe, expect, it } from 'vitest';
import { faultOfNode } from '../../src/node-version.ts';
import { readSource } from '../support/tree/imports.ts';
import { readText } from '../support/tree/tree.ts';

describe('an older Node', () => {
  it.each([
    ['20.20.2', '>=22.19'],
    ['22.18.9', '>=22.19'],
    ['8.0.0', '>=22.19'],
    ['22.19.0-nightly', '>=22.20'],
    ['22.0.0', '>=22.0.1'],
  ])('%s is refused where %s is needed, with both named', (version, needed) => {
    const fault = faultOfNode(version, needed);
    expect(fault).toContain(`needs Node ${needed.slice(2)} or later`);
    expect(fault).toContain(`this is Node ${version}`);
    // the one that npm installed: for the service, and for commands
    expect(fault).toContain('npm start');
    expect(fault).toContain('npx node');
  });

  it.each([
    ['22.19.0', '>=22.19'],
    ['22.20.0', '>=22.19'],
    ['24.0.0', '>=22.19'],
    ['100.0.0', '>=22.19.5'],
    ['24.0.0-rc.1', '>=24'],
  ])('%s is none where %s is needed', (version, needed) => {
    expect(faultOfNode(version, needed)).toBeNull();
  });

  it('is found out before anything is loaded that it might not be able to', () => {
    const before = ['src/main.ts', 'src/node-version.ts'].flatMap((path) => readSource(path, readText(path)).imports);
    const loaded = before.map(({ specifier }) => specifier).filter((specifier) => specifier !== './run.ts');
    expect(loaded).toEqual(['node:fs', './node-version.ts']);
    expect(readText('src/main.ts')).toContain("await import('./run.ts')");
    expect(readText('src/main.ts')).toMatch(/engines/);
  });
});
