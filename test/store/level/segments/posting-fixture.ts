import { expect, onTestFinished, vi } from 'vitest';
import { runToEnd } from '../../../../src/core/memory/steps.ts';
import { Database } from '../../../../src/store/level/database/database.ts';
import type { LevelDatabase } from '../../../../src/store/level/database/level-handle.ts';
import { deathKey } from '../../../../src/store/level/format/keys.ts';
import { sealNothing } from '../../../../src/store/level/format/value-bytes.ts';
import {
  PostingIndex,
  type PostingSettings,
  type PostingStats,
} from '../../../../src/store/level/segments/posting-index.ts';
import { PostingView } from '../../../../src/store/level/segments/published.ts';
import { type PostingLists, readLists } from '../../../../src/store/level/segments/read/list-reader.ts';
import { newIndexRow } from '../../../../src/store/level/segments/restored-segments.ts';
import { tailSteps } from '../../../../src/store/level/segments/tail.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

/** A posting index in a folder of its own, used as the store uses it. */
export interface Postings {
  readonly database: Database;
  readonly location: string;
  readonly failures: unknown[];
  /** Whether the disk has room for merges. */
  room: boolean;
  /** @param asTail as a tail that was made ahead */
  add(content: number, fingerprints: Float64Array, digest: number, asTail?: boolean): Promise<void>;
  remove(content: number): Promise<void>;
  /** @param most of each list; K where not given */
  lists(keys: Float64Array, most?: number): Promise<PostingLists>;
  /** Rows that look-ups have asked LevelDB for so far. */
  rowsRead(): number;
  compact(): Promise<void>;
  warm(): Promise<void>;
  stats(): PostingStats;
  /** Resolves when `holds`, which the work beside reading leads to. */
  until(holds: (stats: PostingStats) => boolean): Promise<void>;
  suspend(): Promise<void>;
  resume(): void;
  /** Ends as a stopped process does, or as a killed one, and opens it again with the records of `contents`. */
  reopen(clean: boolean, contents: ReadonlyMap<number, Float64Array>, digestOf: (c: number) => number): Promise<void>;
  close(): Promise<void>;
}

/** The same database, that tells of the rows it is asked for. */
function counted(level: LevelDatabase, asked: (rows: number) => void): LevelDatabase {
  const getMany: LevelDatabase['getMany'] = (keys: string[], options = {}) => {
    asked(keys.length);
    return level.getMany(keys, options);
  };
  return { getMany, snapshot: () => level.snapshot() } as LevelDatabase;
}

/** @param beforeCommit may throw, as a disk that is full does */
export async function openPostings(settings: PostingSettings, beforeCommit = () => {}): Promise<Postings> {
  const location = temporaryFolder();
  let database = await Database.open(location, true);
  onTestFinished(() => database.close());
  const failures: unknown[] = [];
  const disk = { hasRoom: true };
  const open = () =>
    PostingIndex.open({
      ...{ database, location },
      // memory for millions of them takes longer than what tests do with it
      settings: { flushPostings: 20_000, ...settings },
      commit: async (rows) => {
        const changes = rows();
        beforeCommit();
        await database.write('rows', changes);
      },
      hasRoom: async () => disk.hasRoom,
      onFailure: (error) => void failures.push(error),
    });
  await database.write('rows', [newIndexRow()]);
  let index = await open();
  let rows = 0;
  return {
    get database() {
      return database;
    },
    location,
    failures,
    get room() {
      return disk.hasRoom;
    },
    set room(hasRoom) {
      disk.hasRoom = hasRoom;
    },
    async add(content, fingerprints, digest, asTail = false) {
      await index.room();
      const tail = asTail ? runToEnd(tailSteps(content, fingerprints, digest)) : undefined;
      index.add(content, fingerprints.length + 1, fingerprints, digest, tail);
    },
    async remove(content) {
      const key = deathKey(content);
      await database.write('rows', [[key, sealNothing(key)]]);
      index.remove(content);
    },
    rowsRead: () => rows,
    lists: (keys, most) =>
      database.read(async (level) => {
        const limits = { limits: index.limits, ...(most === undefined ? {} : { most }) };
        const moment = index.present();
        // what another thread would read
        const view = new PostingView(structuredClone(index.published)).moment;
        const count = counted(level, (read) => (rows += read));
        const [lists, seen] = await Promise.all([
          readLists({ level: count, moment, ...limits }, keys),
          readLists({ level, moment: view, ...limits }, keys),
        ]);
        expect(seen).toEqual(lists);
        return lists;
      }),
    compact: () => index.compact(),
    warm: () => index.warm(),
    stats: () => index.stats(),
    suspend: () => index.suspend(index),
    resume: () => index.resume(index),
    async until(holds) {
      await vi.waitUntil(() => holds(index.stats()), { timeout: 60_000, interval: 10 });
    },
    async reopen(clean, contents, digestOf) {
      if (clean) await index.close();
      else await index.suspend(index);
      await database.close();
      database = await Database.open(location, false);
      index = await open();
      for (const [content, fingerprints] of contents) {
        if (content < index.flushedUpTo) continue;
        const digest = digestOf(content);
        index.add(
          content,
          fingerprints.length,
          fingerprints.filter((f) => f !== digest),
          digest,
        );
      }
    },
    close: () => index.close(),
  };
}
