import { resumed } from '../../../sharing/served.ts';
import { HOST_LISTED_MAX, HOST_SOURCES_MAX, HOST_VALUES_MAX, hasSampleRow, sourceHash } from '../../host-sample.ts';
import type { Content, HostContents } from '../../port.ts';
import { reversed, urlOfSourceKey } from '../../source-key.ts';
import type { HostMarks } from '../database/host-marks.ts';
import { atOnce, type LevelDatabase } from '../database/level-handle.ts';
import type { Snapshot } from '../database/near-rows.ts';
import { hostSamplePrefix, sourceSpans, under } from '../format/keys.ts';
import { openNumber, openSource } from '../format/values.ts';
import { FamilyRecords, readRecords } from './family-records.ts';

/*
 * The contents that stand for a host (store/host-sample.ts), and what names them:
 *
 *   "12.7:3 4711 18"    the count of changes (host-marks.ts), and the numbers of the contents
 *
 *   the count is as it was          nothing is read
 *   64 rows t, or fewer and s       their contents are the same: only the count is another
 *   records                         of others
 */

/** Records of so many sources are read before their values are counted. */
const RECORDS_AT_ONCE = 8;
/** What is made of records is kept, and they are not (service/templates.ts). */
const NOT_KEPT = new FamilyRecords(0);

interface Sampled {
  /** In the order of the hashes of their sources. */
  readonly numbers: readonly number[];
  readonly unreadable: number;
}

export function readHostContents(
  level: LevelDatabase,
  host: string,
  known: string | null,
  { marks, rankKey }: { readonly marks: HostMarks; readonly rankKey: readonly [number, number] },
): Promise<HostContents> {
  const mark = `${marks.of(reversed(host))}:`;
  if (known?.startsWith(mark) === true) return Promise.resolve({ sample: known, contents: null, unreadable: 0 });
  return atOnce(level, async (snapshot) => {
    const { numbers, unreadable } = await sampled(level, snapshot, host, rankKey);
    const sample = mark + numbers.join(' ');
    if (known !== null && known.slice(known.indexOf(':') + 1) === numbers.join(' ')) {
      return { sample, contents: null, unreadable };
    }
    const { contents, lost } = await recordsOf(level, snapshot, numbers);
    return { sample, contents, unreadable: unreadable + lost };
  });
}

/** The first records, as many as have HOST_VALUES_MAX values together. */
async function recordsOf(level: LevelDatabase, snapshot: Snapshot, numbers: readonly number[]) {
  const contents: Content[] = [];
  let [values, lost] = [0, 0];
  for (let at = 0; at < numbers.length && values < HOST_VALUES_MAX; at += RECORDS_AT_ONCE) {
    for (const record of await readRecords(level, snapshot, numbers.slice(at, at + RECORDS_AT_ONCE), NOT_KEPT)) {
      if (record == null) lost++;
      else if (values < HOST_VALUES_MAX) {
        contents.push(record);
        values += record.sample.values.length;
      }
    }
  }
  return { contents, lost };
}

async function sampled(
  level: LevelDatabase,
  snapshot: Snapshot,
  host: string,
  rankKey: readonly [number, number],
): Promise<Sampled> {
  const numbers = new Set<number>();
  let [live, unreadable] = [0, 0];
  const add = (open: () => number | null) => {
    try {
      const number = open();
      if (number === null || live === HOST_SOURCES_MAX) return;
      numbers.add(number);
      live++;
    } catch {
      unreadable++;
    }
  };
  const { gte, lt } = under(hostSamplePrefix(host), 0);
  const rows = await level.iterator({ gte, lt, limit: HOST_SOURCES_MAX, snapshot }).all();
  resumed();
  for (const [key, value] of rows) add(() => openNumber(key, value));
  if (rows.length === HOST_SOURCES_MAX) return { numbers: [...numbers], unreadable };
  const others = await othersByHash(level, snapshot, host, rankKey);
  for (let at = 0; at < others.length && live < HOST_SOURCES_MAX; at += HOST_SOURCES_MAX) {
    const keys = others.slice(at, at + HOST_SOURCES_MAX);
    for (const [i, value] of (await level.rows.getEach(keys, snapshot)).entries()) {
      add(() => {
        const { state, present } = openSource(keys[i]!, value!);
        return state === 'live' ? present.content : null;
      });
    }
  }
  return { numbers: [...numbers], unreadable };
}

/** The rows of the first sources of a host that have no row t, those with the lowest hashes first. */
async function othersByHash(
  level: LevelDatabase,
  snapshot: Snapshot,
  host: string,
  rankKey: readonly [number, number],
): Promise<string[]> {
  const [span] = sourceSpans({ host });
  const keys = await level.keys({ ...span!, limit: HOST_LISTED_MAX, snapshot }).all();
  resumed();
  return keys
    .map((key) => ({ key, hash: sourceHash(rankKey, urlOfSourceKey(key)) }))
    .filter(({ hash }) => !hasSampleRow(hash))
    .sort((a, b) => a.hash - b.hash || (a.key < b.key ? -1 : 1))
    .map(({ key }) => key);
}
