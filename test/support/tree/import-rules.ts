import { posix } from 'node:path';
import type { SourceFile } from './imports.ts';

/**
 * Who may import whom, and nothing else. A word is a folder of src, a path without its ending a single file, `node:` a
 * built-in, `npm:` a package (with all its subpaths), `type ` before any of them types only.
 */
export const RULES: Readonly<Record<string, readonly string[]>> = {
  core: ['core'],
  errors: [],
  'limit-row': [],
  'plain-words': ['plain-words', 'npm:leven', 'node:fs', 'node:path', 'node:util'],
  features: ['errors', 'json', 'node:buffer'],
  sharing: ['sharing', 'errors', 'node:async_hooks', 'node:timers', 'node:os', 'node:perf_hooks', 'node:v8', 'node:vm'],
  json: ['json', 'sharing', 'errors', 'core/memory/steps'],
  message: ['message', 'node:buffer'],
  ingest: [
    'plain-words',
    ...['ingest', 'message', 'json', 'sharing', 'type service', 'errors', 'features', 'limit-row', 'npm:csv-parse'],
    'extract/charset',
    'npm:hyparquet',
    ...['npm:hyparquet-compressors', 'npm:hyparquet-writer', 'npm:htmlparser2', 'npm:ignore', 'npm:brace-expansion'],
    ...['node:buffer', 'node:crypto', 'node:fs', 'node:path', 'node:stream', 'node:url', 'node:util', 'node:zlib'],
    ...['npm:tar-stream', 'npm:yauzl', 'npm:zstddec', 'node:child_process', 'node:events'],
  ],
  identity: ['identity', 'core', 'errors', 'node:crypto', 'node:fs', 'node:path'],
  extract: [
    'extract',
    'errors',
    'features',
    'limit-row',
    'npm:htmlparser2',
    'npm:cheerio',
    'npm:css-what',
    'npm:unpdf',
    'npm:yauzl',
    'npm:postal-mime',
    ...['npm:jschardet', 'npm:html-encoding-sniffer'],
    ...['node:buffer', 'node:module'],
  ],
  kernel: ['kernel', 'core', 'errors'],
  workers: [
    ...['workers', 'kernel', 'extract', 'identity', 'core', 'sharing', 'errors', 'features', 'limit-row'],
    'npm:piscina',
    ...['node:child_process', 'node:fs', 'node:os', 'node:vm', 'node:worker_threads'],
  ],
  fetch: [
    ...[
      'fetch',
      'message',
      'features',
      'sharing',
      'errors',
      'limit-row',
      'npm:undici',
      'npm:ipaddr.js',
      'npm:robots-parser',
    ],
    ...['node:buffer', 'node:net', 'node:tls', 'node:dns', 'node:stream', 'node:zlib', 'node:os'],
  ],
  spill: ['spill', 'errors', 'node:fs'],
  cluster: [
    ...['cluster', 'core', 'spill', 'sharing', 'errors'],
    ...['node:crypto', 'node:fs', 'node:os', 'node:path', 'node:worker_threads'],
  ],
  queries: ['queries', 'json', 'sharing', 'errors', 'node:worker_threads'],
  store: [
    'plain-words',
    ...['store', 'core', 'spill', 'type identity', 'sharing', 'errors', 'limit-row', 'npm:level', 'npm:classic-level'],
    ...['node:zlib', 'node:fs', 'node:path', 'node:worker_threads', 'node:child_process', 'node:os', 'node:crypto'],
    ...['node:v8', 'node:vm'],
  ],
  service: [
    ...[
      'service',
      'core',
      'identity',
      'extract',
      'workers',
      'kernel',
      'fetch/port',
      'store/port',
      'type queries/port',
      ...['type cluster/served/port', 'json/written-json'],
      'sharing',
      'errors',
      'features',
      'limit-row',
    ],
    'node:crypto',
  ],
  http: [
    ...['http', 'service', 'json', 'sharing', 'errors', 'features', 'limit-row', 'type core'],
    ...['npm:fastify', 'npm:@fastify', 'npm:typebox', 'npm:fastify-metrics', 'npm:ipaddr.js'],
    ...['node:crypto', 'node:events', 'node:http', 'node:net', 'node:stream', 'node:timers/promises'],
    ...['node:fs', 'node:path', 'node:util', 'node:zlib'],
  ],
  // what runs in a browser: it knows the service by its API alone, and the types of that
  page: ['page', 'npm:preact', 'type npm:shingled'],
  cli: [
    ...['plain-words'],
    ...['cli', 'service', 'type client', 'type cluster', 'type ingest', 'type commands', 'type store/port'],
    ...['type core/cluster', 'type core/content', 'ingest/limits', 'ingest/inputs/byte-names', 'features'],
    ...['sharing', 'errors', 'node:util', 'node:fs', 'node:path', 'node:stream'],
  ],
  client: [
    'client',
    'features',
    'type service',
    'service/limits',
    'sharing',
    'errors',
    'plain-words',
    'npm:undici',
    'node:fs',
  ],
  commands: [
    ...[
      'commands',
      'cluster',
      'core',
      'json',
      'type client',
      'ingest',
      'fetch',
      'http/routes/bulk-line',
      'config',
      'identity',
      'open-index',
      'nested-folders',
      'plain-words',
      'store',
      'errors',
    ],
    ...['service', 'workers', 'extract/limits', 'sharing', 'type npm:pino'],
    ...['node:crypto', 'node:fs', 'node:path'],
  ],
  config: [
    ...[
      'config',
      'service/limits',
      'extract/limits',
      'fetch/limits',
      'ingest/limits',
      'http/limits',
      'http/hosts',
      'workers/limits',
    ],
    ...['store/limits', 'store/settings', 'type limit-row'],
    ...['errors', 'npm:typebox', 'npm:ipaddr.js', 'node:fs', 'node:os'],
  ],
};

/** Files that compose the process, or a thread that answers as it does: they choose the adapters, so they may import everything. */
const COMPOSITION = [
  ...[
    'main',
    'run',
    'app',
    'start',
    'start-queries',
    'queries/query.worker',
    'open-index',
    'nested-folders',
    'commands/folder-access',
    'commands/open-parts',
    'logger',
    'shutdown',
  ],
  'health-check.process',
];

/** The only files that may touch the global `process`: where one begins, what looks at its memory, and for its nextTick and the CPU time of a thread. */
const isProcess = (name: string) =>
  name.endsWith('.process') ||
  ['main', 'workers/memory-watch.worker', 'sharing/clocks', 'sharing/waiting'].includes(name);

export type Sources = ReadonlyMap<string, SourceFile>;

/** Every breach of the rules among the files of src, one sentence each. Keys are paths relative to src. */
export function breaches(sources: Sources): string[] {
  const found: string[] = [];
  for (const [path, source] of sources) {
    const name = path.replace(/\.tsx?$/, '');
    for (const { specifier, typeOnly } of source.imports) {
      const target = targetOf(path, specifier);
      if (target.startsWith('src:')) found.push(...breachesInside(path, target.slice(4), typeOnly, sources));
      else if (!allows(name, target, typeOnly)) found.push(`${path} imports ${specifier}`);
    }
    if (source.hasDefaultExport) found.push(`${path} has a default export`);
    if (source.isBarrel) found.push(`${path} only re-exports: a barrel`);
    if (source.usesProcess && !isProcess(name)) found.push(`${path} uses process`);
  }
  return [...found, ...cycles(sources)];
}

function breachesInside(path: string, target: string, typeOnly: boolean, sources: Sources): string[] {
  if (!sources.has(target)) return [`${path} imports ${target}, which is not there`];
  const name = path.replace(/\.tsx?$/, '');
  return allows(name, target.replace(/\.tsx?$/, ''), typeOnly) ? [] : [`${path} imports ${target}`];
}

/** `src:<path>` of a relative import, `npm:<package>` or `node:<built-in>` of the others. */
function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return `src:${posix.join(posix.dirname(path), specifier)}`;
  return specifier.startsWith('node:') ? specifier : `npm:${specifier}`;
}

function allows(from: string, to: string, typeOnly: boolean): boolean {
  if (COMPOSITION.includes(from)) return true;
  const rules = RULES[from.split('/')[0]!];
  if (rules === undefined) return false;
  return rules.some((rule) => {
    const words = rule.startsWith('type ') ? rule.slice(5) : rule;
    return (words === to || to.startsWith(`${words}/`)) && (typeOnly || words === rule);
  });
}

/** All that is loaded with a file: files of src by their paths, packages and built-ins by their names. */
export function reachedFrom(path: string, sources: Sources, reached = new Set<string>()): Set<string> {
  if (reached.has(path)) return reached;
  reached.add(path);
  for (const { specifier, typeOnly } of sources.get(path)?.imports ?? []) {
    const [, kind, name] = /^(\w+):(.*)$/.exec(targetOf(path, specifier))!;
    if (typeOnly) continue;
    if (kind === 'src') reachedFrom(name!, sources, reached);
    else reached.add(name!);
  }
  return reached;
}

/**
 * Cycles of imports, types counted, each named once by its files in order. */
function cycles(sources: Sources): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, above: readonly string[]) => {
    const start = above.indexOf(path);
    if (start >= 0) found.push(`imports go in a circle: ${[...above.slice(start), path].join(' -> ')}`);
    if (start >= 0 || done.has(path)) return;
    for (const { specifier } of sources.get(path)?.imports ?? []) {
      const target = targetOf(path, specifier);
      if (target.startsWith('src:')) walk(target.slice(4), [...above, path]);
    }
    done.add(path);
  };
  for (const path of sources.keys()) walk(path, []);
  return found;
}
