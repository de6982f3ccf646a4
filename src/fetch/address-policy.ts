import ipaddr from 'ipaddr.js';
import { ShingledError } from '../errors.ts';
import { DENIED_V4, DENIED_V6, PUBLIC_V6 } from './deny-ranges.ts';

/*
 * May this address be connected to? The address, never the text of a URL: 0x7f.1, 2130706433 and 127。0。0。1 are all
 * 127.0.0.1 by the time they get here (WHATWG URL, §host parsing).
 *
 * IPv4: anything outside DENIED_V4. IPv6: only inside PUBLIC_V6 and outside DENIED_V6. Never one of the machine's own
 * addresses. The operator's allow-list comes before all of these.
 *
 * Two IPv6 prefixes hold an IPv4 address that packets really go to: ::ffff:0:0/96 (the kernel unwraps it) and 64:ff9b::/96
 * (a NAT64 gateway does). An address in them is admitted only where the allow-list names the prefix AND the IPv4 address
 * inside may be connected to. So a network of IPv6 only allows 64:ff9b::/96, and still nobody reaches 10.0.0.1 through it.
 */

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

export interface AddressPolicy {
  /**
   * @param address dotted decimal IPv4 or any spelling of IPv6; all else, a zone id too, is refused
   * @param own the machine's own addresses, see {@link canonicalAddress}
   */
  permits(address: string, own: ReadonlySet<string>): boolean;
}

const WITH_V4_INSIDE = networks(['::ffff:0:0/96', '64:ff9b::/96']);
const PUBLIC = { ipv4: networks(['0.0.0.0/0']), ipv6: networks(PUBLIC_V6) };
const DENIED = { ipv4: networks(DENIED_V4), ipv6: networks(DENIED_V6) };

/**
 * @param privateAllowed networks in CIDR notation that may be connected to all the same
 * @throws ShingledError `invalid-config` with field `privateAllowed`
 */
export function createAddressPolicy(privateAllowed: readonly string[]): AddressPolicy {
  const allowed = networks(privateAllowed);

  function permits(address: Address, own: ReadonlySet<string>): boolean {
    const allowListed = covers(allowed, address);
    const inner = v4Inside(address);
    if (inner !== null) return allowListed && permits(inner, own);
    if (allowListed) return true;
    return !own.has(address.toString()) && isPublic(address);
  }

  return {
    permits(text, own) {
      const address = parse(text);
      return address !== null && permits(address, own);
    },
  };
}

/** The one spelling under which an address is found in a set of own addresses; null for what is none. */
export function canonicalAddress(text: string): string | null {
  return parse(text)?.toString() ?? null;
}

function isPublic(address: Address): boolean {
  const kind = address.kind();
  return covers(PUBLIC[kind], address) && !covers(DENIED[kind], address);
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

function networks(list: readonly string[]): readonly Network[] {
  return list.map((text) => {
    const [address, bits] = text.split('/') as [string, string?];
    if (parse(address) !== null && /^\d{1,3}$/.test(bits ?? '') && ipaddr.isValidCIDR(text))
      return ipaddr.parseCIDR(text);
    throw new ShingledError('invalid-config', 'Not a network in CIDR notation, such as 10.20.0.0/16 or fd12::/16.', {
      field: 'privateAllowed',
    });
  });
}
