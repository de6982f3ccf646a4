/*
 * How right `GET /moved` is on the four manuals of Python 3.9, 3.11, 3.13 and 3.14 (tools to lay them out are not part of this
 * project: FOLDER has docs.tsv and the pages of each manual under its release).
 *
 *     npm run bench:moved-pydoc -- FOLDER [--wrong] [--json]
 *
 * Twice, each sweep a release:
 *
 *   one address     .../3/library/x.html: a page that the next release has not is gone. Moved: renamed files, which are those
 *                   whose name the next release has in another folder where no file had it before; the pages of these
 *                   manuals hold no redirects. So there are few, beside pages that are gone for good.
 *   an address each .../3.9/library/x.html: all pages of a release are gone once the next one is there. Moved: every page that
 *                   the next release has under the same path, or under another one where its file was renamed. Some of
 *                   these say next to nothing of what they said; so recall is told again of those of which a fifth is left,
 *                   by the exact resemblance in truth/ (shingles of 10 words).
 */
import { readFileSync } from 'node:fs';
import type { BulkOperation } from '../../src/service/api.ts';
import { newScore, precisionOf, recallOf, type Score, score } from '../../test/support/moved/score.ts';
import { corpusDocuments, Truth } from '../support/corpus.ts';
import { printRows, type Row } from '../support/table.ts';
import { openMovedIndex } from './moved-index.ts';

const folder = process.argv[2];
if (folder === undefined || folder.startsWith('--')) throw new Error('usage: npm run bench:moved-pydoc -- FOLDER');

const DAY = 86_400_000;
const START = Date.parse('2020-10-05T00:00:00Z');
const RELEASES = ['3.9', '3.11', '3.13', '3.14'];

/** Release -> path -> file. */
const manuals = new Map<string, Map<string, string>>(RELEASES.map((release) => [release, new Map()]));
for (const { url, path } of corpusDocuments(folder)) {
  const [, release, page] = /\/(3\.\d+)\/(.*)$/.exec(url)!;
  manuals.get(release!)!.set(page!, path);
}

/** Where the page of a path is in the next release; null: nowhere. */
function placeIn(next: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>, path: string): string | null {
  if (next.has(path)) return path;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'index.html') return null;
  const renamed = [...next.keys()].filter((other) => other.endsWith(`/${name}`) && !before.has(other));
  return renamed.length === 1 ? renamed[0]! : null;
}

const truth = new Truth(folder);
/** Least resemblance of a page of which something is left. */
const LEFT = 0.2;

function isLeft(before: string, after: string): boolean {
  const [a, b] = [before, after].map((page) => truth.indexOf(`https://pydoc.example/${page}`));
  return truth.pair(a!, b!).r >= LEFT;
}

interface Found {
  readonly score: Score;
  /** Of moved pages those of which something is left. */
  readonly left: Score;
  readonly renamed: number;
}

async function measure(addressOf: (release: string, path: string) => string): Promise<Found> {
  const index = await openMovedIndex();
  const [total, left] = [newScore(), newScore()];
  let renamed = 0;
  for (const [i, release] of RELEASES.entries()) {
    const pages = manuals.get(release)!;
    const before = manuals.get(RELEASES[i - 1] ?? '') ?? new Map<string, string>();
    const time = START + i * 365 * DAY;
    const addresses = new Set([...pages.keys()].map((path) => addressOf(release, path)));
    const dead = [...before.keys()].filter((path) => !addresses.has(addressOf(RELEASES[i - 1]!, path)));
    const told: BulkOperation[] = dead.map((path) => ({
      ...{ op: 'gone', httpStatus: 404, observedAt: time },
      url: addressOf(RELEASES[i - 1]!, path),
    }));
    for (const [path, file] of pages) told.push(putOf(addressOf(release, path), readFileSync(file), time));
    await index.write(told);
    for (const path of dead) {
      const place = placeIn(pages, before, path);
      if (place !== null && place !== path) renamed++;
      const places = new Set(place === null ? [] : [addressOf(release, place)]);
      const answer = await index.ask(addressOf(RELEASES[i - 1]!, path));
      const isRight = score(total, answer, places, place !== null);
      if (place !== null && isLeft(`${RELEASES[i - 1]}/${path}`, `${release}/${place}`))
        score(left, answer, places, true);
      if (!isRight && process.argv.includes('--wrong')) console.log(JSON.stringify({ places: [...places], answer }));
    }
  }
  await index.close();
  return { score: total, left, renamed };
}

function putOf(url: string, bytes: Uint8Array, observedAt: number): BulkOperation {
  const none = { select: null, remove: null, meta: null, similar: 0, unless: null };
  return { op: 'put', url, body: { bytes, contentType: 'text/html; charset=utf-8' }, observedAt, ...none };
}

const one = await measure((_, path) => `https://pydoc.example/3/${path}`);
const each = await measure((release, path) => `https://pydoc.example/${release}/${path}`);

const rowsOf = ({ score: found, left, renamed }: Found, name: string, target: { readonly target?: string }): Row[] => [
  {
    ...{ row: `${name}: old URLs`, value: found.asked, unit: '' },
    note: `${found.moved} moved, ${renamed} of them renamed`,
  },
  { row: `${name}: recall`, value: recallOf(found), unit: '', ...target, note: `${found.found} of ${found.moved}` },
  {
    ...{ row: `${name}: recall, of what a fifth is left of`, value: recallOf(left), unit: '' },
    ...{ target: '>= 0.95', note: `${left.found} of ${left.moved}` },
  },
  {
    ...{ row: `${name}: precision`, value: precisionOf(found), unit: '' },
    ...{ target: '>= 0.98', note: `${found.right} of ${found.offered}` },
  },
];
printRows('Moved pages of four manuals of Python, offered as certain or likely', [
  ...rowsOf(one, 'one address', { target: '>= 0.95' }),
  ...rowsOf(each, 'an address each', {}),
]);
