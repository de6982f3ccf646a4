/*
 * Builds the page at `/` from src/page: one script and one style sheet, whose names hold a hash of what is in them.
 *
 *     node tools/build-page.ts [folder]     into dist/page where none is given
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const SOURCE = fileURLToPath(new URL('../src/page', import.meta.url));

/** Empties the folder, and puts the page there. */
export async function buildPage(folder: string): Promise<void> {
  await build({
    root: SOURCE,
    // addresses in the page are relative: a proxy may have put the service below a path of its own
    base: './',
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: resolve(folder),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      target: 'es2024',
      rolldownOptions: { output: { postBanner: notice() } },
    },
  });
}

/** What the licences of the packages in the script ask for. */
function notice(): string {
  const licence = readFileSync(new URL('../node_modules/preact/LICENSE', import.meta.url), 'utf8');
  return `/*! preact: ${licence.trim().replaceAll(/\s+/g, ' ')} */`;
}

if (import.meta.main) await buildPage(process.argv[2] ?? fileURLToPath(new URL('../dist/page', import.meta.url)));
