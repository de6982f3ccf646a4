/*
 * The address of a view, which can be sent to a colleague: `#/family?url=https%3A%2F%2Fa.example%2Fx&threshold=0.6`. It stands
 * behind the `#`, so no server, proxy or log sees it, and the page works below any path.
 */

export const VIEWS = ['ask', 'compare', 'made-of', 'family', 'history', 'results', 'index'] as const;
export type ViewName = (typeof VIEWS)[number];

/** What is asked, by name; a name that is not there was not said. */
export type Params = Readonly<Record<string, string>>;

export interface Address {
  readonly view: ViewName;
  readonly params: Params;
}

/** What a view is told. */
export interface ViewProps {
  readonly params: Params;
}

/** Longer ones are cut off by programs that one sends them with. */
export const ADDRESS_LENGTH_MAX = 8000;

/** @returns what begins with `#/`; params that say nothing are left out */
export function formatAddress({ view, params }: Address): string {
  const said = Object.entries(params).filter(([, value]) => value !== '');
  const query = said.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`);
  return `#/${view}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/** Reads what follows `#`, whatever it is; what is not known leads to the first view. */
export function parseAddress(hash: string): Address {
  const [, name = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const view = VIEWS.find((known) => known === name) ?? VIEWS[0];
  // without a prototype: a name such as `__proto__` is a name
  const params = Object.create(null) as Record<string, string>;
  for (const [key, value] of new URLSearchParams(query.replaceAll('+', '%2B'))) if (value !== '') params[key] = value;
  return { view, params };
}

/** A share from 0 to 1 in an address, null for `off`; what is neither counts as not said. */
export function shareParam(params: Params, name: string, unsaid: number | null): number | null {
  const text = params[name];
  if (text === undefined) return unsaid;
  if (text === 'off') return null;
  const share = Number(text);
  return /^[\d.]+$/.test(text) && share >= 0 && share <= 1 ? share : unsaid;
}
