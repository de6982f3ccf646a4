import type { IndexDescription, Meta, SourceState } from '../port.ts';
import { urlOfSourceKey } from '../source-key.ts';
import { type Losses, MergedRows } from './files/merged-rows.ts';
import { descriptionIn, refuseUnreadable } from './folder/description.ts';
import { ABOVE, Table } from './format/keys.ts';
import { openSource } from './format/values.ts';

/*
 * What an index knows of URLs, read without LevelDB and without changing a byte: of a backup, of an index that was made by
 * another pipeline, of a damaged one. It takes no key: names are as they are.
 */

export interface ListedUrl {
  readonly url: string;
  readonly state: SourceState;
  readonly httpStatus: number | null;
  /** ms since 1970. */
  readonly observedAt: number;
  readonly meta: Meta | null;
}

export class ListedUrls {
  /** null where it cannot be read: what is there is read as the present format. */
  readonly description: IndexDescription | null;
  /** Rows of URLs that cannot be read. */
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

  /** What could not be read, so far. */
  get losses(): Losses {
    return this.merged.losses;
  }
}
