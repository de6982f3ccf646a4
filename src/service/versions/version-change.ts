import type { Version } from '../../store/port.ts';
import type { ChangedVersion, ChangeKind, VersionChange } from '../api.ts';
import { type Pair, pairOf, printEstimated } from '../document/pair.ts';
import { describeVersion } from '../document/query.ts';

/*
 * How a version differs from the one before it:
 *
 *   before    after     bytes    words    resemblance    kind
 *   live      live      equal                            identical
 *                       other    equal                   formatting
 *                                main only               template
 *                                other    >= .5          edited
 *                                         below          replaced
 *             gone                                       gone
 *   gone      live                                       back, and what was there before it went is compared
 */

/** From here on a page counts as edited, below as replaced. The vocabulary's own resemblance for "roughly the same". */
const EDITED_RESEMBLANCE = 0.5;

const THRESHOLDS = { resemblance: EDITED_RESEMBLANCE, queryInMatch: null, matchInQuery: null };
const WHOLE = { estimate: 1, low: 1, high: 1 };
const SAME = {
  resemblance: { ...WHOLE, decision: 'yes' },
  beforeInAfter: { ...WHOLE, decision: null },
  afterInBefore: { ...WHOLE, decision: null },
} as const;
const UNKNOWN = { resemblance: null, beforeInAfter: null, afterInBefore: null };

/** @param found the newest first @param limit how many are told; one more says what the last of them was before */
export function describeVersions(found: readonly Version[], limit: number): ChangedVersion[] {
  return found.slice(0, limit).map((version, i) => ({
    ...describeVersion(version),
    lastSeen: new Date(version.lastSeen).toISOString(),
    change: describeChange(found[i + 1], version),
  }));
}

/** null where it is not known. */
function describeChange(before: Version | undefined, after: Version): VersionChange | null {
  const kind = kindOf(before, after);
  if (before === undefined || kind === null) return null;
  const since = new Date(before.lastSeen).toISOString();
  if (kind === 'gone') return { kind, since, ...UNKNOWN };
  if (after.hasSameWords) return { kind, since, ...SAME };
  if (after.overlap === null) return { kind, since, ...UNKNOWN };
  const { resemblance, aInB, bInA } = printEstimated(comparedOf(after.overlap), THRESHOLDS);
  return { kind, since, resemblance, beforeInAfter: aInB, afterInBefore: bInA };
}

/** null where it is not known: of the oldest version, and where one of the contents is. */
export function kindOf(before: Version | undefined, after: Version): ChangeKind | null {
  if (before === undefined) return null;
  if (after.state === 'gone') return 'gone';
  if (before.state === 'gone') return 'back';
  if (after.hasSameWords) {
    return before.bytesDigest === after.bytesDigest ? 'identical' : 'formatting';
  }
  if (after.overlap === null) return null;
  if (after.hasSameMain) return 'template';
  return comparedOf(after.overlap).resemblance >= EDITED_RESEMBLANCE ? 'edited' : 'replaced';
}

/** By one estimate: the kind, and what is told of it, never contradict one another. */
const comparedOf = (overlap: NonNullable<Version['overlap']>): Pair => pairOf(overlap);
