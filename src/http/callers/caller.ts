import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Access } from '../../service/api.ts';

/** Bits of an IPv6 address that name a network: one customer has at least these to himself, and picks the rest freely. */
const IPV6_NETWORK_BITS = 64;

/** `203.0.113.9:443` and `[2001:db8::1]:443`, as some proxies write who asked. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d*)?|([^:]*):\d*)$/;

/** `::ffff:203.0.113.9` and, behind a translator (RFC 6052), `64:ff9b::203.0.113.9`: the last 32 bits are an IPv4 address. */
const HOLDS_IPV4: ReadonlySet<string> = new Set(['ipv4Mapped', 'rfc6052']);

/**
 * Who calls, as everything that is shared or limited by caller counts it: a key, or where there is none an address.
 *
 * @returns `key <name>` or `address <IPv4 or IPv6 network>`; at most 80 characters, whatever was sent
 */
export function callerOf(request: FastifyRequest): string {
  return request.apiKey === null ? `address ${addressOf(request)}` : `key ${request.apiKey.name}`;
}

/** Who calls, as the service is told, with what his key allows. */
export function accessOf(request: FastifyRequest, { mayFetch = false } = {}): Access {
  return { caller: callerOf(request), mayFetch, requestId: request.id, connection: request.raw.socket };
}

/**
 * The address of the client: what the trusted proxies in front say, else that of the connection. Of IPv6 the network of 64
 * bits.
 */
export function addressOf(request: FastifyRequest): string {
  return addressFrom(request.ip) ?? addressFrom(request.raw.socket.remoteAddress) ?? 'unknown';
}

/** An address as addresses are counted here; null for what is none. */
export function addressFrom(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (isIPv4(text)) return text;
  const [, bracketed, before] = WITH_PORT.exec(text) ?? [];
  const bare = bracketed ?? before ?? text;
  if (!ipaddr.isValid(bare)) return null;
  const address = ipaddr.parse(bare);
  if (address.kind() === 'ipv4') return address.toString();
  const bytes = address.toByteArray();
  if (HOLDS_IPV4.has(address.range())) return bytes.slice(12).join('.');
  const network = bytes.fill(0, IPV6_NETWORK_BITS / 8);
  return `${ipaddr.fromByteArray(network).toString()}/${IPV6_NETWORK_BITS}`;
}
