import { useLayoutEffect, useState } from 'preact/hooks';
import { type Address, formatAddress, type Params, parseAddress, type ViewName } from './view-address.ts';

/** Where the page is, and how often somebody came there: by a link, a step back, or an address that was typed. */
export interface Arrival {
  readonly address: Address;
  readonly count: number;
}

export function useAddress(): Arrival {
  const [arrival, setArrival] = useState<Arrival>(() => ({ address: parseAddress(location.hash), count: 0 }));
  // a plain effect runs after the next frame, and an address that came before it was never shown
  useLayoutEffect(() => {
    const arrive = () => setArrival(({ count }) => ({ address: parseAddress(location.hash), count: count + 1 }));
    addEventListener('hashchange', arrive);
    return () => removeEventListener('hashchange', arrive);
  }, []);
  return arrival;
}

/** Writes down what a view shows now, as a step that one can take back, or in place of the last one. */
export function noteAddress(view: ViewName, params: Params, { replace = false } = {}): void {
  const address = formatAddress({ view, params });
  if (address === location.hash) return;
  // neither fires hashchange: the view knows already
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
}
