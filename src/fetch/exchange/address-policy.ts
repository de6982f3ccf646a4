import ipaddr from 'ipaddr.js';
import { ShingledError } from '../../errors.ts';
import { ALWAYS_DENIED, DENIED, PUBLIC } from './deny-ranges.ts';

/*
 * May this address be connected to? The address, never the text of a URL: 0x7f.1, 2130706433 and 127。0。0。1 are all
 * 127.0.0.1 by the time they get here (WHATWG URL, §host parsing). The first of these that speaks of it decides:
 *
 *   no    what no setting opens: ALWAYS_DENIED, and this machine at the ports that the service itself listens on
 *   no    what the operator denies
 *   yes   what the operator allows; loopback only where he names a network inside of it, not by a wide one such as ::/0
 *   no    this machine's own addresses
 *   no    what is outside of PUBLIC, or in DENIED
 *   yes   all else
 *
 * Three IPv6 prefixes hold an IPv4 address that packets really go to: ::ffff:0:0/96 (the kernel unwraps it), 64:ff9b::/96
 * and 64:ff9b:1::/48 (a NAT64 gateway does). An address in them is admitted only where the allow-list names the prefix AND
 * the IPv4 address inside may be connected to. So a network of IPv6 only allows 64:ff9b::/96, and still nobody reaches
 * 10.0.0.1 through it.
 */

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** The machine that the service runs on. */
export interface OwnMachine {
  /** See {@link canonicalAddress}. */
  readonly addresses: ReadonlySet<string>;
  /** Ports that the service itself listens on. */
  readonly ports: readonly number[];
}

export interface AddressPolicy {
  /** @param address dotted decimal IPv4 or any spelling of IPv6; all else, a zone id too, is refused */
  permits(address: string, port: number, own: OwnMachine): boolean;
}

/** Networks in CIDR notation. */
export interface OperatorNetworks {
  /** Networks that are not public and may be connected to all the same. */
  readonly privateAllowed: readonly string[];
  /** Networks that may not be connected to, whatever else is allowed. */
  readonly denied: readonly string[];
}

const WITH_V4_INSIDE = networks(['::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48']);
const LOOPBACK = networks(['127.0.0.0/8', '::1/128']);
const alwaysDenied = networks(ALWAYS_DENIED);
const publicNetworks = networks(PUBLIC);
const notPublic = networks(DENIED);

/** @throws ShingledError `invalid-config` with field `privateAllowed` or `denied` */
export function createAddressPolicy(operator: OperatorNetworks): AddressPolicy {
  const allowed = networks(operator.privateAllowed, 'privateAllowed');
  const denied = networks(operator.denied, 'denied');
  const loopbackAllowed = allowed.filter(([first, bits]) =>
    LOOPBACK.some((loopback) => covers([loopback], first) && bits >= loopback[1]),
  );

  function permits(address: Address, port: number, own: OwnMachine): boolean {
    const isLoopback = covers(LOOPBACK, address);
    const isOwn = isLoopback || own.addresses.has(address.toString());
    if (covers(alwaysDenied, address) || covers(denied, address)) return false;
    if (isOwn && own.ports.includes(port)) return false;
    const isAllowed = covers(isLoopback ? loopbackAllowed : allowed, address);
    const inner = v4Inside(address);
    if (inner !== null) return isAllowed && permits(inner, port, own);
    return isAllowed || !(isOwn || !covers(publicNetworks, address) || covers(notPublic, address));
  }

  return {
    permits(text, port, own) {
      const address = parse(text);
      return address !== null && permits(address, port, own);
    },
  };
}

/** The one spelling under which an address is found in a set of own addresses; null for what is none. */
export function canonicalAddress(text: string): string | null {
  return parse(text)?.toString() ?? null;
}

function v4Inside(address: Address): ipaddr.IPv4 | null {
  if (address.kind() === 'ipv4' || !covers(WITH_V4_INSIDE, address)) return null;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

function covers(list: readonly Network[], address: Address): boolean {
  return list.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** ipaddr.js also reads the short and octal spellings of inet_aton; a resolver or a parsed URL never gives one. */
function parse(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : null;
}

function networks(list: readonly string[], field = ''): readonly Network[] {
  return list.map((text) => {
    const [address, bits] = text.split('/') as [string, string?];
    if (parse(address) !== null && /^\d{1,3}$/.test(bits ?? '') && ipaddr.isValidCIDR(text))
      return ipaddr.parseCIDR(text);
    throw new ShingledError('invalid-config', 'Not a network in CIDR notation, such as 10.20.0.0/16 or fd12::/16.', {
      field,
    });
  });
}
