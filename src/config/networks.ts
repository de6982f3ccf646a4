import ipaddr from 'ipaddr.js';
import { readHost } from '../http/hosts.ts';
import { Fault } from './setting.ts';

/** Reads `search.example`, `search.example:8443` or `[2001:db8::1]`. */
export function readAllowedHost(text: string): string {
  if (readHost(text) === null) throw new Fault('$ is not a host, nor a host and a port');
  return text;
}

/** Reads `10.0.0.0/8`; bits beyond the prefix are refused, for they say that something else was meant. */
export function readNetwork(text: string): string {
  const isV4 = /^\d+(\.\d+){3}\/\d+$/.test(text);
  if (!(isV4 || text.includes(':')) || !ipaddr.isValidCIDR(text))
    throw new Fault('$ is not a network in CIDR notation');
  const [address, bits] = ipaddr.parseCIDR(text);
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = family.networkAddressFromCIDR(text).toString();
  if (first !== address.toString())
    throw new Fault(`$ has address bits beyond its prefix; the network is ${first}/${bits}`);
  return text;
}

/** Reads an origin as browsers send it: scheme and host, no path, no slash at the end. */
export function readOrigin(text: string): string {
  if (text === '*') return text;
  if (!(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) throw new Fault('$ is not an http(s) origin');
  const { origin } = new URL(text);
  if (origin !== text) throw new Fault(`$ is not an origin as browsers send it; that is ${origin}`);
  return text;
}
