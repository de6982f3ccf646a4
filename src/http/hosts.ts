import ipaddr from 'ipaddr.js';

/** A host as a request names it, or as a setting does. */
export interface Host {
  /** In lower case; IPv6 in its one canonical spelling, without brackets. */
  readonly name: string;
  readonly port: number | null;
}

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i;

/** Reads `a.example`, `a.example:8080`, `127.0.0.1:8080`, `[::1]:8080`; null for what is no host. */
export function readHost(text: string): Host | null {
  const [match, v6, other, port] = HOST.exec(text) ?? [];
  if (match === undefined || (v6 !== undefined && !ipaddr.IPv6.isValid(v6))) return null;
  const name = v6 === undefined ? other!.toLowerCase() : ipaddr.IPv6.parse(v6).toString();
  return { name, port: port === undefined ? null : Number(port) };
}

/** Whether a name or an address always means this machine: no name server is asked for it, so nobody else can claim it. */
export function isLoopback(name: string): boolean {
  if (name === 'localhost') return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}
