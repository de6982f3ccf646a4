import { execFileSync } from 'node:child_process';
import type { Sight } from './version-oracle.ts';

/* What files of a git repository said, and when: documents as people write them, with the edits that they made. */

const MAX_BUFFER = 2 ** 30;
const TEXT_BYTES_MAX = 2 ** 18;

export interface FileHistory {
  readonly path: string;
  /** The oldest first, no two of one moment; of a deletion null. */
  readonly sights: readonly Sight[];
}

/** Those with two versions or more, at most `limit`, of each the newest `versionsMax`. @param patterns of git */
export function fileHistories(
  repository: string,
  patterns: readonly string[],
  limit: number,
  versionsMax: number,
): FileHistory[] {
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', ['-C', repository, ...args], { maxBuffer: MAX_BUFFER, input });
  const raw = ['log', '--reverse', '--no-renames', '--raw', '--no-abbrev', '--format=@%ct', '--', ...patterns];
  const log = git(raw).toString();
  const named = new Map<string, { at: number; object: string }[]>();
  let at = 0;
  for (const line of log.split('\n')) {
    if (line.startsWith('@')) at = Number(line.slice(1)) * 1000;
    const [, object, path] = /^:\S+ \S+ \S+ (\S+) \w+\t(.+)$/.exec(line) ?? [];
    if (object === undefined || path === undefined) continue;
    const seen = named.get(path) ?? [];
    // a second has room for one, and clocks go back
    if ((seen.at(-1)?.at ?? 0) < at) named.set(path, [...seen, { at, object }]);
  }
  const histories: FileHistory[] = [];
  const wanted = [...named]
    .filter(([, seen]) => seen.length >= 2)
    .map(([path, seen]) => ({ path, seen: seen.slice(-versionsMax) }));
  const textOf = blobs(
    git,
    wanted.flatMap(({ seen }) => seen.map(({ object }) => object)),
  );
  for (const { path, seen } of wanted) {
    if (histories.length === limit) break;
    const sights = seen.map(({ at: time, object }): Sight => {
      const text = textOf.get(object) ?? null;
      return { at: time, text: text === null ? null : text.slice(0, TEXT_BYTES_MAX) };
    });
    const isText = sights.every(({ text }) => text === null || (text.trim() !== '' && !text.includes('\0')));
    if (sights.length >= 2 && sights[0]!.text !== null && isText) histories.push({ path, sights });
  }
  return histories;
}

/** All of them at once; those of deletions are not there. */
function blobs(
  git: (args: readonly string[], input: string) => Buffer,
  objects: readonly string[],
): Map<string, string> {
  const names = [...new Set(objects)].filter((object) => !/^0+$/.test(object));
  const bytes = git(['cat-file', '--batch'], `${names.join('\n')}\n`);
  const texts = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const [object, , size] = bytes.toString('utf8', at, end).split(' ') as [string, string, string];
    at = end + 1;
    texts.set(object, bytes.toString('utf8', at, at + Number(size)));
    at += Number(size) + 1;
  }
  return texts;
}
