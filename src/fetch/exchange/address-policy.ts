import ipaddr from 'ipaddr.js';
import { ShingledError } from '../../errors.ts';

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
 *
 * The networks that are not public were compared with the IANA special-purpose registries and with what Mastodon, Synapse
 * and Smokescreen refuse. Two kinds of address are in no registry: 168.63.129.16 and the machine's own. Metadata services
 * lie inside the ranges: 169.254.169.254, 100.100.100.200 (Alibaba), 192.0.0.192 (Oracle) and fd00:ec2::254 (AWS).
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

/**
 * What no setting opens: nobody publishes documents there, and what answers gives out the rights of this machine. Loopback
 * is not among them, but only a network inside of it opens it.
 */
const ALWAYS_DENIED = networks([
  '0.0.0.0/8', // this host: Linux takes it for loopback
  '100.100.100.200/32', // metadata service of Alibaba, in a network that one may well allow
  '168.63.129.16/32', // Azure's WireServer
  '169.254.0.0/16', // link-local, with most metadata services
  '192.0.0.0/24', // protocol assignments, with Oracle's metadata service
  '224.0.0.0/4', // multicast
  '255.255.255.255/32', // broadcast
  '::/128', // this host
  'fd00:ec2::/32', // metadata services of AWS, in a network that one may well allow
  'fd20:ce::/32', // and of Google
  'fe80::/10', // link-local
  'ff00::/8', // multicast
]);

/**
 * Outside of these nothing is public: of IPv6 unspecified, loopback, IPv4-compatible and -mapped (::/8), NAT64
 * (64:ff9b::/96, 64:ff9b:1::/48), discard (100::/64), SRv6 (5f00::/16), unique local (fc00::/7), link-local, site-local,
 * multicast.
 */
const PUBLIC = networks(['0.0.0.0/0', '2000::/3']);

/** What is not public inside of them. */
const DENIED = networks([
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '168.63.129.16/32', // Azure's WireServer: publicly routable by its number, local to every machine of Azure
  '2001::/23', // protocol assignments, Teredo, ORCHID, benchmarking
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]);

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
    if (covers(ALWAYS_DENIED, address) || covers(denied, address)) return false;
    if (isOwn && own.ports.includes(port)) return false;
    const isAllowed = covers(isLoopback ? loopbackAllowed : allowed, address);
    const inner = v4Inside(address);
    if (inner !== null) return isAllowed && permits(inner, port, own);
    return isAllowed || !(isOwn || !covers(PUBLIC, address) || covers(DENIED, address));
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
