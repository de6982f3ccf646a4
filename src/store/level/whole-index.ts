import type { KeptSample } from '../../core/sketch/narrow.ts';
import type { Content, IndexDescription, Meta, SourceState } from '../port.ts';
import { urlOfSourceKey } from '../source-key.ts';
import { type Losses, MergedRows } from './files/merged-rows.ts';
import { descriptionIn, refuseUnreadable } from './folder/description.ts';
import { openContent } from './format/content-values.ts';
import { ABOVE, numberOfContentKey, Table } from './format/keys.ts';
import { openSource } from './format/values.ts';

/*
 * What an index says, read without LevelDB and without changing a byte: of a backup, of an index that was made by another
 * pipeline, of a damaged one. It takes no key: names are as they are.
 */

export interface ListedUrl {
  readonly url: string;
  readonly state: SourceState;
  readonly httpStatus: number | null;
  /** ms since 1970. */
  readonly observedAt: number;
  readonly meta: Meta | null;
}

/** A URL where there is a document. */
export interface LiveSource {
  readonly url: string;
  /** The number of its content. */
  readonly content: number;
  /** When a document was first seen there, ms since 1970. */
  readonly firstSeen: number;
}

export interface NumberedContent {
  readonly number: number;
  readonly content: Content<KeptSample>;
}

export class WholeIndex {
  /** null where it cannot be read: what is there is read as the present format. */
  readonly description: IndexDescription | null;
  /** Rows that cannot be read, so far. */
  rowsLost = 0;
  private readonly merged: MergedRows;

  /** @param location the folder of a database that nobody uses @throws ShingledError `index-mismatch` */
  constructor(location: string) {
    this.merged = new MergedRows(location);
    this.description = descriptionIn(this.merged);
    if (this.description !== null) refuseUnreadable(this.description);
  }

  /** All URLs, by reversed host, then by URL. */
  *urls(): Generator<ListedUrl> {
    for (const [key, value] of this.merged.rows(Table.source, `${Table.source}${ABOVE}`)) {
      try {
        const { state, httpStatus, observedAt, meta } = openSource(key, value);
        yield { url: urlOfSourceKey(key), state, httpStatus, observedAt, meta };
      } catch {
        this.rowsLost++;
      }
    }
  }

  /** Those at which there is a document, in the same order. */
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

  /** Contents by number. @param wanted asked of each number */
  *contents(wanted: (number: number) => boolean): Generator<NumberedContent, void, undefined> {
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

  /** What could not be read, so far. */
  get losses(): Losses {
    return this.merged.losses;
  }
}
