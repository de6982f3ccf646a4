import type { FingerprintParameters } from '../core/sketch/stages.ts';

/** Everything that one index key decides (see index-key.ts). Plain data: may be posted to a worker, must never be logged. */
export interface Identity {
  /** 8 hex digits that name the key without giving it away. */
  readonly keyId: string;
  /** `<pipeline version>.<4 hex digits>`: two sketches compare only where this is equal. */
  readonly fingerprintId: string;
  readonly fingerprint: FingerprintParameters;
  /** 16 secret Uint32: what `mixing` of the fingerprint is for texts, for sets of features. */
  readonly featureMixing: readonly number[];
  /** Two Uint32 that key the rank of a posting. */
  readonly rankKey: readonly [number, number];
  /** 32 bytes each. */
  readonly digestKey: Uint8Array;
  readonly cursorKey: Uint8Array;
}
