/*
 * Networks that are not the public Internet. Compared with the IANA special-purpose registries and with what Mastodon,
 * Synapse and Smokescreen refuse. Two kinds of address are in no registry: 168.63.129.16 below, and the machine's own,
 * which address-policy.ts is given. Metadata services: 169.254.169.254, 100.100.100.200 (Alibaba), 192.0.0.192 (Oracle)
 * and fd00:ec2::254 (AWS) lie inside the ranges.
 */

/**
 * What no setting opens: nobody publishes documents there, and what answers gives out the rights of this machine. Loopback
 * is not among them, but only a network inside of it opens it, see address-policy.ts.
 */
export const ALWAYS_DENIED: readonly string[] = [
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
];

/**
 * Outside of these nothing is public: of IPv6 unspecified, loopback, IPv4-compatible and -mapped (::/8), NAT64
 * (64:ff9b::/96, 64:ff9b:1::/48), discard (100::/64), SRv6 (5f00::/16), unique local (fc00::/7), link-local, site-local,
 * multicast.
 */
export const PUBLIC: readonly string[] = ['0.0.0.0/0', '2000::/3'];

/** What is not public inside of them. */
export const DENIED: readonly string[] = [
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
];
