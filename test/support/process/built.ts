import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

/*
 * A process of the tests loads up to 700 files, which is half of what it takes. So their modules are put together once a run, in
 * a few files. keep-compiled.mjs lets threads and processes run those in place of the sources:
 *
 *   src/workers/document.worker.ts  ->  node_modules/.cache/built/<hash>/src/workers/document.worker.mjs
 *
 * Each module keeps the address of its source. So it finds what lies beside it, and the next thread is built in turn.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const BUILDS = join(root, 'node_modules', '.cache', 'built');
const ENTRIES = [
  ...['src/main.ts', '{src,test/support}/**/*.{worker,process}.ts'],
  ...['test/support/crash/{history-child,level-writer}.ts', 'test/support/store/damage-child.ts'],
];

/** Other packages stay outside, as they are installed. The first has 340 files. */
const PACKAGES_OF_MANY_FILES = ['typebox', 'hyparquet', 'hyparquet-compressors', 'hyparquet-writer'];

/** Another run may use a build for so long. */
const KEPT_MS = 24 * 3_600_000;

/** @returns the folder, whose name depends on all that is in it */
export async function buildEntries(): Promise<string> {
  const paths = globSync(ENTRIES, { cwd: root });
  const input = Object.fromEntries(paths.map((path) => [path.replace(/\.ts$/, ''), join(root, path)]));
  const built = await build({
    ...{ root, configFile: false, envDir: false, publicDir: false, logLevel: 'warn', plugins: [OWN_ADDRESS] },
    ssr: { noExternal: [...PACKAGES_OF_MANY_FILES] },
    build: {
      ...{ ssr: true, write: false, minify: false, target: 'esnext' },
      rolldownOptions: { input, output: { entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' } },
    },
  });
  const chunks = (Array.isArray(built) ? built : [built]).flatMap((each) => ('output' in each ? each.output : []));
  const files = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, chunk.code] as const] : []));
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
  const folder = join(BUILDS, hash);
  if (!existsSync(folder)) writeWhole(folder, files);
  const now = new Date();
  utimesSync(folder, now, now);
  return folder;
}

/** `import.meta.url` of a module is that of its source. */
const OWN_ADDRESS: Plugin = {
  name: 'own-address',
  transform: (code, id) =>
    id.startsWith(root) && !id.includes('node_modules')
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : null,
};

function writeWhole(folder: string, files: readonly (readonly [string, string])[]): void {
  const begun = `${folder}.${process.pid}`;
  for (const [name, code] of files) {
    mkdirSync(dirname(join(begun, name)), { recursive: true });
    writeFileSync(join(begun, name), code);
  }
  if (existsSync(folder)) rmSync(begun, { recursive: true });
  else renameSync(begun, folder);
  for (const name of readdirSync(BUILDS)) {
    const other = join(BUILDS, name);
    if (other !== folder && Date.now() - statSync(other).mtimeMs > KEPT_MS)
      rmSync(other, { recursive: true, force: true });
  }
}
