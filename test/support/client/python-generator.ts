import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../tree/tree.ts';

/*
 * openapi-python-client, which pip brings once for all runs of the tests into a folder beside the packages of npm.
 */

const VERSION = '0.29.1';
const FOLDER = join(root, 'node_modules', '.cache', `openapi-python-client-${VERSION}`);

/** Python, as old as the generator takes it at most, with pip; null where it is not there. */
export const python = ['python3', 'python'].find(isOfUse) ?? null;

function isOfUse(name: string): boolean {
  const script = 'import pip, sys; sys.exit(sys.version_info < (3, 11))';
  return spawnSync(name, ['-c', script], { stdio: 'ignore' }).status === 0;
}

/** @returns the folder with the packages of the generator, those that its clients need among them @throws where pip fails */
export function pythonPackages(): string {
  if (existsSync(FOLDER)) return FOLDER;
  mkdirSync(dirname(FOLDER), { recursive: true });
  const made = mkdtempSync(`${FOLDER}-`);
  const args = ['-m', 'pip', 'install', '--quiet', '--no-input', '--target', made, `openapi-python-client==${VERSION}`];
  const { status, stderr } = spawnSync(python!, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`pip brings no openapi-python-client: ${stderr}`);
  try {
    renameSync(made, FOLDER);
  } catch {
    // another run was faster
    rmSync(made, { recursive: true });
  }
  return FOLDER;
}
