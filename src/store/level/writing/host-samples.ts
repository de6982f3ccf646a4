import { hasSampleRow, sourceHash } from '../../host-sample.ts';
import { hasHost, hostSampleKey } from '../format/keys.ts';
import type { TableRows } from '../format/rows.ts';
import type { SourceRow } from '../format/values.ts';

/** The rows by which hosts are sampled (store/host-sample.ts), as the plans of one batch change them. */
export class HostSamples {
  /** The hosts whose live sources or their contents are others, as keys have them; some may be as they were. */
  readonly changedHosts = new Set<string>();
  private readonly rows: TableRows<number>;
  private readonly rankKey: readonly [number, number];

  constructor(rows: TableRows<number>, rankKey: readonly [number, number]) {
    this.rows = rows;
    this.rankKey = rankKey;
  }

  /**
   * @param sourceRow the key of the source's row
   * @param before null where it was not there @param after null where it goes
   */
  change(url: string, sourceRow: string, before: SourceRow | null, after: SourceRow | null): void {
    const content = liveContent(after);
    if (content === liveContent(before) || !hasHost(sourceRow)) return;
    this.changedHosts.add(sourceRow.slice(1, sourceRow.indexOf('\0')));
    const hash = sourceHash(this.rankKey, url);
    if (hasSampleRow(hash)) this.rows.put(hostSampleKey(sourceRow, hash), content);
  }
}

const liveContent = (source: SourceRow | null) => (source?.state === 'live' ? source.present.content : null);
