import { createPrng } from '../prng.ts';

/*
 * Which addresses are public, a second time and by other means: intervals of BigInts, written down from the IANA
 * registries in another form than the source's. Shares nothing with src/fetch but the facts.
 */

type Interval = readonly [first: bigint, last: bigint];

const v4 = (text: string): bigint => text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);

/** Sixteen-bit groups, `::` for as many zeros as are missing. */
const v6 = (text: string): bigint => {
  const [left, right = ''] = text.split('::') as [string, string?];
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const zeros = text.includes('::') ? 8 - groups(left).length - groups(right).length : 0;
  const all = [...groups(left), ...Array.from({ length: zeros }, () => '0'), ...groups(right)];
  return all.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
};

const PRIVATE_V4: readonly Interval[] = (
  [
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['168.63.129.16', '168.63.129.16'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.31.196.0', '192.31.196.255'],
    ['192.52.193.0', '192.52.193.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['192.175.48.0', '192.175.48.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
  ] as const
).map(([first, last]) => [v4(first), v4(last)]);

const PUBLIC_V6: readonly Interval[] = (
  [
    ['2001:200::', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db9::', '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2000::', '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2003::', '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff'],
    ['2620:4f:8001::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['3fff:1000::', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ] as const
).map(([first, last]) => [v6(first), v6(last)]);

const within = (value: bigint, intervals: readonly Interval[]) =>
  intervals.some(([first, last]) => first <= value && value <= last);

export interface SampleAddress {
  readonly text: string;
  readonly isPublic: boolean;
}

function sampleV4(value: bigint): SampleAddress {
  const bytes = [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n));
  return { text: bytes.join('.'), isPublic: !within(value, PRIVATE_V4) };
}

function sampleV6(value: bigint): SampleAddress {
  const groups = Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));
  return { text: groups.join(':'), isPublic: within(value, PUBLIC_V6) };
}

/** Boundaries of IPv6 ranges that must be refused and that no interval above begins or ends with. */
const SPECIAL_V6 = [
  '::1',
  '::ffff:0:0',
  '::ffff:0:0:0',
  '64:ff9b::',
  '64:ff9b:1::',
  '100::',
  '5f00::',
  '2002::',
].concat(['fc00::', 'fd00:ec2::254', 'fd20:ce::254', 'fe80::', 'fec0::', 'ff00::', '4000::', '2001::', '2001:db8::']);

/** The first and last address of every range, and their neighbours. */
export function boundaryAddresses(): SampleAddress[] {
  const around = (intervals: readonly Interval[], last: bigint) =>
    intervals.flat().flatMap((edge) => [edge - 1n, edge, edge + 1n].filter((value) => value >= 0n && value <= last));
  const special = SPECIAL_V6.map(v6).map((value): Interval => [value, value + (1n << 32n)]);
  return [
    ...around(PRIVATE_V4, (1n << 32n) - 1n).map(sampleV4),
    ...around([...PUBLIC_V6, ...special], (1n << 128n) - 1n).map(sampleV6),
  ];
}

/** Half IPv4; the IPv6 half uniform, or in 2000::/3, or an IPv4 address in one of the prefixes that can hold one. */
export function randomAddresses(count: number, seed: number): SampleAddress[] {
  const prng = createPrng(seed);
  const word = () => BigInt(prng.uint32());
  const any = () => (word() << 96n) | (word() << 64n) | (word() << 32n) | word();
  const holders = ['::', '::ffff:0:0', '::ffff:0:0:0', '64:ff9b::', '64:ff9b:1::'].map(v6);
  return Array.from({ length: count }, (_, at) => {
    if (at % 2 === 0) return sampleV4(word());
    const kind = prng.below(4);
    if (kind === 0) return sampleV6(any());
    if (kind === 1) return sampleV6(holders[prng.below(holders.length)]! | word());
    const inside = (any() & ((1n << 125n) - 1n)) | (1n << 125n);
    return sampleV6(kind === 2 ? inside : (inside & ((1n << 112n) - 1n)) | (BigInt(0x2000 + prng.below(4)) << 112n));
  });
}
