import type { Prng } from '../prng.ts';

/*
 * One address, many spellings. Whatever WHATWG URL makes of each (an address, a name, a refusal), none may lead to a
 * private host.
 */

type Bytes = readonly [number, number, number, number];
type Spelling = (bytes: Bytes, prng: Prng) => string;

const number = ([a, b, c, d]: Bytes) => ((a * 256 + b) * 256 + c) * 256 + d;
const dotted = (bytes: Bytes) => bytes.join('.');
const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, '0');
const groups = ([a, b, c, d]: Bytes) => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;

const inBase = (value: number, prng: Prng) =>
  [
    String(value),
    `0x${hex(value)}`,
    `0X${hex(value, 8).toUpperCase()}`,
    `0${value.toString(8)}`,
    `000${value.toString(8)}`,
  ][prng.below(5)]!;

const disguised = (text: string, digit: (value: number) => string) =>
  text.replace(/\d/g, (found) => digit(Number(found)));
const CIRCLED = '⓪①②③④⑤⑥⑦⑧⑨';
const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Spellings of an IPv4 address as the host of a URL. */
const V4: readonly Spelling[] = [
  dotted,
  (bytes, prng) => inBase(number(bytes), prng),
  (bytes, prng) => bytes.map((byte) => inBase(byte, prng)).join('.'),
  ([a, b, c, d], prng) => `${inBase(a, prng)}.${inBase((b * 256 + c) * 256 + d, prng)}`,
  ([a, b, c, d], prng) => `${inBase(a, prng)}.${b}.${inBase(c * 256 + d, prng)}`,
  (bytes) => `${dotted(bytes)}.`,
  (bytes) => `${dotted(bytes)}..`,
  (bytes) => disguised(dotted(bytes), (digit) => String.fromCodePoint(0xff10 + digit)),
  (bytes) => disguised(dotted(bytes), (digit) => CIRCLED[digit]!),
  (bytes) => disguised(dotted(bytes), (digit) => SUPERSCRIPT[digit]!),
  (bytes) => disguised(dotted(bytes), (digit) => String.fromCodePoint(0x1d7ce + digit)),
  (bytes, prng) => dotted(bytes).replaceAll('.', ['。', '．', '｡', '%2e', '%E3%80%82'][prng.below(5)]!),
  (bytes) => [...dotted(bytes)].map((letter) => `%${hex(letter.charCodeAt(0))}`).join(''),
  (bytes) => [...dotted(bytes)].join('\u00ad'),
  (bytes) => [...dotted(bytes)].join('\u200b'),
  (bytes) => [...dotted(bytes)].join('\t'),
  (bytes) => [...dotted(bytes)].join('\n'),
  (bytes) => `${dotted(bytes)}%00.example.com`,
  (bytes) => `${dotted(bytes)}%2f@example.com`,
  (bytes) => `example.com@${dotted(bytes)}`,
  (bytes) => `example.com:80@${dotted(bytes)}`,
  (bytes) => `${dotted(bytes)}.nip.io`,
  (bytes) => `[::ffff:${dotted(bytes)}]`,
  (bytes) => `[::ffff:${groups(bytes)}]`,
  (bytes) => `[0:0:0:0:0:ffff:${groups(bytes)}]`,
  (bytes) => `[::FFFF:0:${groups(bytes)}]`,
  (bytes) => `[::${groups(bytes)}]`,
  (bytes) => `[64:ff9b::${dotted(bytes)}]`,
  (bytes) => `[64:ff9b:1::${groups(bytes)}]`,
  (bytes) => `[2002:${groups(bytes)}::1]`,
  (bytes) => `[2001:0:${groups(bytes)}::]`,
  ([a, b, c, d]) => `[2001:0:808:808:0:0:${groups([255 - a, 255 - b, 255 - c, 255 - d])}]`,
  (bytes) => `[fe80::5efe:${dotted(bytes)}]`,
];

/** Hosts that are private without an IPv4 address in them. */
const OTHERS: readonly string[] = [
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'loc\u200balhost',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'ｌｏｃａｌｈｏｓｔ',
    'ſocalhost',
  ],
  ...['localhost.localdomain', 'ip6-localhost', 'ip6-loopback', 'metadata', 'metadata.google.internal', 'router', '0'],
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0.0.0.1]', '[::1%25lo]'],
  ...['[::1%lo]', '[fe80::1]', '[fe80::1%25eth0]', '[fd00:ec2::254]', '[fd20:ce::254]', '[fec0::1]', '[ff02::1]'],
  ...['[100::1]', '[5f00::1]', '[2001:db8::1]', '[3fff::1]', '[4000::1]', '[::ffff:0:0]', '00', '0x', '0x0', '0.0'],
];

/** First addresses of the networks that must not be reached, and the metadata services in them. */
const NETWORKS: readonly Bytes[] = [
  ...([
    [127, 0, 0, 1],
    [127, 0, 0, 3],
    [127, 255, 255, 254],
    [0, 0, 0, 0],
    [0, 1, 2, 3],
    [10, 0, 0, 1],
  ] as const),
  ...([
    [100, 64, 0, 1],
    [100, 100, 100, 200],
    [169, 254, 169, 254],
    [169, 254, 170, 2],
    [172, 16, 0, 1],
  ] as const),
  ...([
    [192, 0, 0, 192],
    [192, 0, 2, 1],
    [192, 88, 99, 1],
    [192, 168, 0, 1],
    [198, 18, 0, 1],
    [203, 0, 113, 1],
  ] as const),
  ...([
    [224, 0, 0, 1],
    [239, 255, 255, 250],
    [240, 0, 0, 1],
    [255, 255, 255, 255],
    [168, 63, 129, 16],
  ] as const),
];

function privateV4(prng: Prng): Bytes {
  // half of all are those that a canary can watch
  return prng.below(2) === 0 ? NETWORKS[prng.below(4)]! : NETWORKS[prng.below(NETWORKS.length)]!;
}

/** A host as it may stand in a URL, of which no spelling may be reached. */
export function privateHost(prng: Prng): string {
  if (prng.below(5) === 0) return OTHERS[prng.below(OTHERS.length)]!;
  return V4[prng.below(V4.length)]!(privateV4(prng), prng);
}

/** An address as a resolver may answer it, of which none may be reached. */
export function privateAnswer(prng: Prng): string {
  const bytes = privateV4(prng);
  const forms = [dotted(bytes), `::ffff:${dotted(bytes)}`, `::ffff:${groups(bytes)}`, `64:ff9b::${groups(bytes)}`];
  const others = ['::1', '::', 'fe80::1', 'fd00::1', `2002:${groups(bytes)}::`, 'ff02::1', '127.1', 'localhost', ''];
  return prng.below(2) === 0 ? dotted(bytes) : [...forms, ...others][prng.below(forms.length + others.length)]!;
}
