import { enableCompileCache, flushCompileCache, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded first by each process and thread of the tests: what Node makes of a file is kept for all of them. JavaScript, since
 * to take off its types would cost more than it saves.
 */

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)));

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
