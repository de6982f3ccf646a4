import type { KeptSample } from '../../core/sketch/narrow.ts';
import { ShingledError } from '../../errors.ts';
import type { Content, IndexDescription } from '../port.ts';
import { urlOfSourceKey } from '../source-key.ts';
import { type Losses, MergedRows } from './files/merged-rows.ts';
import { descriptionIn, refuseUnreadable } from './folder/description.ts';
import { openContent } from './format/content-values.ts';
import { ABOVE, numberOfContentKey, Table } from './format/keys.ts';
import { openSource } from './format/values.ts';

/* All that an index says now, read without LevelDB and without changing a byte: of a folder that nobody uses, or of a backup. */

export interface LiveSource {
  readonly url: string;
  /** The number of its content. */
  readonly content: number;
  /** When a document was first seen there, ms since 1970. */
  readonly firstSeen: number;
}

export class WholeIndex {
  readonly description: IndexDescription;
  /** Rows that cannot be read, so far. */
  rowsLost = 0;
  private readonly merged: MergedRows;

  /** @param location the folder of a database that nobody uses @throws ShingledError `index-mismatch`, `index-unreadable` */
  constructor(location: string) {
    this.merged = new MergedRows(location);
    const description = descriptionIn(this.merged);
    if (description === null) {
      throw new ShingledError('index-unreadable', `The index in ${location} does not say what it is.`);
    }
    refuseUnreadable(description);
    this.description = description;
  }

  /** Sources at which there is a document, by reversed host, then by URL. */
  *liveSources(): Generator<LiveSource, void, undefined> {
    for (const [key, value] of this.merged.rows(Table.source, `${Table.source}${ABOVE}`)) {
      try {
        const { state, firstSeen, present } = openSource(key, value);
        if (state === 'live') yield { url: urlOfSourceKey(key), content: present.content, firstSeen };
      } catch {
        this.rowsLost++;
      }
    }
  }

  /** Contents with these numbers, by number. @param wanted asked of each */
  *contents(
    wanted: (number: number) => boolean,
  ): Generator<{ readonly number: number; readonly content: Content<KeptSample> }, void, undefined> {
    for (const [key, value] of this.merged.rows(Table.content, `${Table.content}${ABOVE}`)) {
      const number = numberOfContentKey(key);
      if (!wanted(number)) continue;
      try {
        yield { number, content: openContent(key, value) };
      } catch {
        this.rowsLost++;
      }
    }
  }

  /** What could not be read of its files, so far. */
  get losses(): Losses {
    return this.merged.losses;
  }
}
