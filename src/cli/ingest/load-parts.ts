import type { FillAccess } from '../../client/port.ts';
import type { IngestSources, OpenedInput } from '../../ingest/sources.ts';
import type { PutRequest } from '../../service/api.ts';
import type { BegunState } from './first-load/begun-load.ts';
import type { LoadState } from './state-file.ts';
import type { Tally } from './tally.ts';
import type { Teller } from './teller.ts';

/** What a load (ingest-run.ts) is given. */
export interface LoadParts {
  /** null: nothing is written, and nothing fetched. */
  readonly index: FillAccess | null;
  readonly inputs: AsyncIterable<OpenedInput>;
  readonly openList: IngestSources['openList'];
  readonly teller: Teller;
  readonly from: LoadState['position'] | null;
  /** Aborted: reading ends, and what was read is brought to its end. */
  readonly until: AbortSignal;
  /** What a put asks for beside what its record says. */
  readonly wish: Pick<PutRequest, 'similar' | 'unless'>;
  /** Keeps how far it came; called once that is on disk. */
  readonly keep: (state: LoadState) => void;
  /** What a checkpoint of a first load keeps; null where nobody can go on with it. */
  readonly note: ((sure: BegunState) => string) | null;
  /** Called now and then. */
  readonly onTick: (at: LoadView) => void;
}

/** How far it is. */
export interface LoadView {
  readonly tally: Readonly<Tally>;
  /** On disk, of the input that is read and all behind it; null where that is not known. */
  readonly bytesLeft: number | 'counting' | null;
}
