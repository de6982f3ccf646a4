import { ShingledError } from '../../errors.ts';
import type { Source, SourceRange } from '../../store/port.ts';
import type { Selection } from '../api.ts';
import type { ServiceLimits } from '../limits.ts';
import { checkMeta } from '../options.ts';
import { hasMeta } from '../similar/source-filter.ts';
import { hostOf, nameHost, nameUrlPrefix } from '../url.ts';

/** A selection as it is looked for: where, and what has to be looked at of each source there. */
export interface Wanted {
  readonly range: Omit<SourceRange, 'after' | 'limit'>;
  /** null: all that is there is wanted. */
  readonly passes: ((source: Source) => boolean) | null;
  /** Equal for equal selections. */
  readonly binding: string;
}

/** @throws ShingledError `invalid-request` or `invalid-url`, naming the field */
export function readSelection(selection: Selection, limits: ServiceLimits): Wanted {
  const { subdomains = false, observedFrom = null, observedTo = null, meta = null, state = null } = selection;
  const host = selection.host === undefined ? undefined : nameHost(selection.host, 'host');
  if (subdomains && host === undefined) {
    throw invalid('subdomains', 'subdomains goes with a host: those below it are meant.');
  }
  const prefix =
    selection.prefix === undefined ? undefined : nameUrlPrefix(selection.prefix, 'prefix', limits.urlBytesMax);
  if (host !== undefined && prefix !== undefined) checkBoth(host, subdomains, prefix);
  checkTime('observedFrom', observedFrom);
  checkTime('observedTo', observedTo);
  if (observedFrom !== null && observedTo !== null && observedTo <= observedFrom) {
    throw invalid('observedTo', 'observedTo must be later than observedFrom: it is the first moment that is too late.');
  }
  checkMeta(meta, limits);
  if (state !== null && state !== 'live' && state !== 'gone') {
    throw invalid('state', 'state must be live or gone.');
  }
  const isFiltered = [observedFrom, observedTo, meta, state].some((filter) => filter !== null);
  return {
    range: { host, subdomains, prefix },
    passes: isFiltered
      ? (source) =>
          (state === null || source.state === state) &&
          (observedFrom === null || source.observedAt >= observedFrom) &&
          (observedTo === null || source.observedAt < observedTo) &&
          (meta === null || hasMeta(source.meta, meta))
      : null,
    binding: JSON.stringify([host, subdomains, prefix, observedFrom, observedTo, meta, state]),
  };
}

function checkBoth(host: string, subdomains: boolean, prefix: string): void {
  const own = hostOf(prefix);
  if (own === host || (subdomains && own?.endsWith(`.${host}`) === true)) return;
  throw invalid('prefix', 'prefix is of another host than host: no document is of both.');
}

function checkTime(field: string, ms: number | null): void {
  if (ms === null || (Number.isSafeInteger(ms) && ms >= 0)) return;
  throw invalid(field, `${field} is a time from 1970 on.`);
}

function invalid(field: string, detail: string): ShingledError {
  return new ShingledError('invalid-request', detail, { field });
}
