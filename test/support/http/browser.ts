import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { slowed } from './slow-browser.ts';

/*
 * A real browser, headless. Tests that need one are skipped where none is found on PATH or at CHROMIUM_PATH, unless
 * SHINGLED_BROWSER_REQUIRED is set: then its absence is a failure.
 */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

const executablePath = findBrowser();

/** Whether tests in a browser are left out on this machine. */
export const noBrowser = executablePath === null && (process.env['SHINGLED_BROWSER_REQUIRED'] ?? '') === '';

/** @param args of the command line, such as `--host-resolver-rules=…` */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  if (executablePath === null) throw new Error('no browser found');
  return slowed(await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] }));
}

let kept: Promise<Browser> | undefined;

/** One browser with one process for its pages: those who share this process share it, too, and it ends with the process. */
export function keptBrowser(): Promise<Browser> {
  kept ??= launchBrowser(['--renderer-process-limit=1', '--disable-gpu']);
  return kept;
}

function findBrowser(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = [
    process.env['CHROMIUM_PATH'] ?? '',
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  ];
  return paths.find((path) => path !== '' && isExecutable(path)) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
