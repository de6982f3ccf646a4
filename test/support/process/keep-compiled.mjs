import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache, registerHooks, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded first by each process and thread of the tests: what Node makes of a file is kept for all of them. JavaScript, since
 * to take off its types would cost more than it saves.
 *
 * `?built=<folder>`: a thread or process whose first file was built there (built.ts) runs that in place of its source.
 */

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)));

const root = new URL('../../../', import.meta.url).href;
const folder = new URL(import.meta.url).searchParams.get('built');

function builtOf(url) {
  if (!url.startsWith(root) || !url.endsWith('.ts')) return null;
  const path = `${folder}/${url.slice(root.length, -'.ts'.length)}.mjs`;
  return existsSync(path) ? pathToFileURL(path).href : null;
}

// what runs the tests has many imports, and none of them is built
if (folder !== null && !(isMainThread && builtOf(pathToFileURL(process.argv[1] ?? '').href) === null)) {
  registerHooks({
    resolve: (specifier, context, next) => next(builtOf(specifier) ?? specifier, context),
  });
}

if (isMainThread) {
  // a process that is killed would keep nothing
  setTimeout(flushCompileCache, 1000).unref();
  // those that parse are given no environment, and options of their own
  const childProcess = process.getBuiltinModule('node:child_process');
  const { fork } = childProcess;
  childProcess.fork = (file, args, options) => {
    const given = Array.isArray(args) ? options : args;
    const execArgv =
      given?.execArgv === undefined ? {} : { execArgv: [`--import=${import.meta.url}`, ...given.execArgv] };
    return fork(file, Array.isArray(args) ? args : [], { ...given, ...execArgv });
  };
  syncBuiltinESMExports();
}
