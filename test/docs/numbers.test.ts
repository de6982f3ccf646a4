import { describe, expect, it } from 'vitest';
import { REMOVED_SETTINGS } from '../../src/config/unused-names.ts';
import { readConfig } from '../../src/config.ts';
import { LOOK_UPS_LEAST } from '../../src/core/query/look-up.ts';
import { INDEX_SHINGLES_LEAST, RECORD_SHINGLES_LEAST } from '../../src/core/sketch/modulus.ts';
import { NARROW_BITS_MIN, narrowBits } from '../../src/core/sketch/narrow.ts';
import { BODY_BYTES_A_PLACE } from '../../src/http/edge/door.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { COLLAPSE_DEFAULTS } from '../../src/http/schemas/collapse.schema.ts';
import { WHOLE_SHINGLES_MAX } from '../../src/service/document/pair.ts';
import { ANSWER_MS, DEFAULT_MATCH_OPTIONS, SERVICE_LIMITS } from '../../src/service/limits.ts';
import { FORMAT_READ_LEAST, FORMAT_VERSION } from '../../src/store/level/format/values.ts';
import { PAGE_CONTENTS } from '../../src/store/level/segments/content-table.ts';
import { TRAIL_BATCHES } from '../../src/store/level/writing/batch-log.ts';
import { LIST_POSTINGS_MAX, NEW_INDEX } from '../../src/store/settings.ts';
import { filesUnder, readText } from '../support/tree/tree.ts';

/*
 * Numbers that the pages tell and the code has: who changes a constant is told which page to change. The page of settings, that
 * of options and the sum of all memory are made from the code, and compared as a whole elsewhere.
 */

// with a key: without any, requests are not counted
const { config } = readConfig({ API_KEYS: 'a:read:0123456789abcdef' });
const { jsonDepthMax, jsonValuesMax, headTimeoutMs, targetBytesMax, headBytesMax } = HTTP_LIMITS;
const { copiesMax, copiesValuesMax, copiesPlaces, hostSourcesMax } = SERVICE_LIMITS;
const { sourcesReadMax, upkeepWaitMs, bulkBytesInFlightMax, differencesTextBytesMax, differencesSpansMax } =
  SERVICE_LIMITS;
const { shingleSize } = NEW_INDEX;

/** A constant of one file's own, from its source: sums of products of numbers. */
function own(file: string, name: string): number {
  const found = new RegExp(`\\b${name}(?: =|:) ([\\d_.]+(?: (?:\\+|\\*\\*?) [\\d_.]+)*)[;, ]`).exec(
    readText(`src/${file}.ts`),
  );
  expect(found, `${name} in ${file}`).not.toBeNull();
  const products = found![1]!.replaceAll('_', '').split(' + ');
  return products.reduce(
    (sum, product) => sum + product.split(' * ').reduce((all, power) => all * powerOf(power), 1),
    0,
  );
}

function powerOf(text: string): number {
  const [base, exponent = '1'] = text.split(' ** ');
  return Number(base) ** Number(exponent);
}

const count = (value: number) => value.toLocaleString('en');
const word = (value: number) => ['no', 'one', 'two', 'three', 'four'][value] ?? { 16: 'sixteen' }[value];
const seconds = (ms: number) => `${ms / 1000} s`;
const mib = (bytes: number) => `${bytes / 2 ** 20} MiB`;

const list = count(LIST_POSTINGS_MAX);
const kept = count(2 * RECORD_SHINGLES_LEAST - 1);
/** One shingle in so many agrees by chance with one of another document of the length, from 64 shingles on. */
const chances = Array.from({ length: 4000 }, (_, i) => 2 ** narrowBits(128 + i) / (128 + i));
const mistakes = [Math.min(...chances), Math.max(...chances)].map(Math.round);
const short = own('service/document/query', 'SHORT_SHINGLES');
const rate = (name: string) => own('http/bodies/read-body', name);
const near = (name: string) => own('store/level/database/near-rows', name);
const level = (name: string) => own('store/level/database/level-handle', name);

const SENTENCES: readonly (readonly [page: string, sentence: string])[] = [
  ['CHANGELOG.md', `Index format: ${FORMAT_VERSION}; one of format ${FORMAT_READ_LEAST} is brought there`],
  ['docs/upgrading.md', `an older one, from ${FORMAT_READ_LEAST} on, is [migrated]`],
  ['docs/upgrading.md', `| ${FORMAT_VERSION - 1} | ${FORMAT_VERSION} |`],
  ['README.md', `a run of ${shingleSize} words (\`SHINGLE_SIZE\`)`],
  ['README.md', `Up to ${kept} shingles a document keeps all of them`],
  ['README.md', `Of most it keeps ${NARROW_BITS_MIN} to`],
  ['README.md', `except one time in ${mistakes.join(' to ')}`],
  ['README.md', `fewer than ${2 * INDEX_SHINGLES_LEAST} shingles all bits are kept`],
  ['README.md', `${100 * own('core/compare/interval', 'TAIL')} % or more`],
  ['docs/api.md', `one shingle in ${mistakes.join(' to ')} is taken`],
  ['docs/api.md', `in one of ${1 / own('core/compare/interval', 'TAIL')} pairs at the`],
  ['README.md', `fewer than ${short + shingleSize - 1} words have fewer than ${short} shingles`],
  ['README.md', `| one document | ${mib(config.BODY_BYTES_MAX)} | 413`],
  ['README.md', `| one bulk request | ${mib(config.BULK_BYTES_MAX)}, ${count(config.BULK_LINES_MAX)} lines |`],
  ['README.md', `| a fetched page | ${mib(config.FETCH_BYTES_MAX)}, ${seconds(config.FETCH_TIMEOUT_MS)} |`],
  ['README.md', `| ${config.REQUESTS_IN_FLIGHT_MAX}, and ${config.REQUESTS_WAITING_MAX} waiting of each caller |`],
  ['README.md', `| documents read for one query | ${config.CANDIDATES_MAX} |`],
  ['README.md', `| ${count(config.RATE_LIMIT_PER_MINUTE)} | 429`],
  ['README.md', `no capabilities and ${/mem_limit: (\d+)m/.exec(readText('docker-compose.yml'))![1]} MiB of memory`],
  ['docs/api.md', `printed with ${own('core/compare/shares', 'DIGITS')} significant digits`],
  ['docs/api.md', `(up to ${count(WHOLE_SHINGLES_MAX)} shingles each)`],
  ['docs/api.md', `what is longer than ${kept} shingles`],
  ['docs/api.md', `as \`similar\` of the put says, else ${own('service/write/unless', 'MATCHES_SHOWN')}.`],
  ['docs/api.md', `| \`resemblance\` | ${DEFAULT_MATCH_OPTIONS.thresholds.resemblance} |`],
  ['docs/api.md', `| \`queryInMatch\` | ${DEFAULT_MATCH_OPTIONS.thresholds.queryInMatch} |`],
  ['docs/api.md', `| \`limit\`, \`cursor\` | ${DEFAULT_MATCH_OPTIONS.limit} |`],
  ['docs/api.md', `| \`sourcesPerMatch\` | ${DEFAULT_MATCH_OPTIONS.sourcesPerMatch} |`],
  ['docs/api.md', `the ${own('service/similar/match-passages', 'PASSAGES_MAX')} longest |`],
  ['docs/api.md', `| \`deadlineMs\` | ${ANSWER_MS} | then the answer`],
  ['docs/api.md', `too many to be read (${count(sourcesReadMax)})`],
  ['docs/api.md', `half of ANSWERS_BYTES_MAX (${mib(config.ANSWERS_BYTES_MAX)})`],
  ['docs/api.md', `most ${count(config.BULK_LINES_MAX)} lines and ${mib(config.BULK_BYTES_MAX)}`],
  ['docs/api.md', `the first ${word(own('service/compare/why-not', 'EXAMPLES_MAX'))} points at which`],
  ['docs/api.md', `where it takes longer than ${seconds(upkeepWaitMs)}`],
  [
    'docs/api.md',
    `At most ${['TITLE_BYTES_MAX', 'SNIPPET_BYTES_MAX'].map((name) => count(own('service/collapse/collapse', name))).join(' and ')} bytes`,
  ],
  ['docs/api.md', `(of ${count(own('service/collapse/collapse', 'ID_CHARACTERS_MAX'))} characters at most)`],
  ['docs/api.md', `0 to ${count(own('service/collapse/collapse', 'MINIMUM_SHINGLES_MAX'))} |`],
  ['docs/api.md', `| \`minimumShingles\` | ${COLLAPSE_DEFAULTS.minimumShingles} |`],
  ['docs/api.md', `| \`deadlineMs\` | ${COLLAPSE_DEFAULTS.deadlineMs} |`],
  ['docs/api.md', `0.5, 0.8, 0.8 | ${Object.values(COLLAPSE_DEFAULTS.thresholds).join(', ')} |`],
  ['docs/copies.md', `more than ${count(copiesMax)} texts may be copies`],
  ['docs/copies.md', `left out, ${count(own('service/similar/candidates', 'DRAWN_MAX'))} are drawn`],
  ['docs/copies.md', `no room together (${mib(8 * copiesValuesMax)};`],
  ['docs/copies.md', `${copiesPlaces} of the places`],
  ['docs/copies.md', `are more than ${count(hostSourcesMax)}, so that`],
  ['docs/copies.md', `are more than are read for one answer (${count(sourcesReadMax)})`],
  ['docs/copies.md', `the index keeps ${count(own('store/list-depth', 'KEPT_LISTS') * LIST_POSTINGS_MAX)}, drawn`],
  ['docs/errors.md', `it repeats the first ${own('http/validation/wishes', 'SHOWN_MAX')}`],
  ['docs/errors.md', `more than ${jsonDepthMax} lists and objects inside one another`],
  ['docs/errors.md', `more than ${count(jsonValuesMax)} values`],
  ['docs/errors.md', `took too long (${seconds(headTimeoutMs)}, BODY_TIMEOUT_MS`],
  ['docs/errors.md', `fewer than ${count(rate('bytes'))} bytes of a body came in ${seconds(rate('windowMs'))}.`],
  ['docs/errors.md', `Path and query have more than ${count(targetBytesMax)} bytes`],
  ['docs/errors.md', `The head of the request has more than ${count(headBytesMax)} bytes`],
  ['docs/errors.md', `FETCH_PORTS (${config.FETCH_PORTS.join(' and ')} unless set)`],
  ['docs/store.md', `full (${count(own('store/level/segments/rows/segment-list', 'FLUSH_CONTENTS'))} contents`],
  ['docs/store.md', `${word(own('store/level/segments/rows/segment-list', 'FAN_IN'))} segments of a size`],
  ['docs/store.md', `fingerprints to look up, ${LOOK_UPS_LEAST} or so`],
  ['docs/store.md', `the ${list} lowest by (rank, content)`],
  ['docs/store.md', `a list that is longer than ${list} a random part`],
  ['docs/store.md', `A list keeps ${word(own('store/list-depth', 'KEPT_LISTS'))} times as many`],
  ['docs/store.md', `beyond its first ${list} |`],
  ['docs/store.md', `looked up there for ${near('NEAR_MS_MAX')} ms an`],
  ['docs/store.md', `after one that took ${near('ROW_MS_MAX')} ms, all go to other threads for ${near('FAR_MS')} ms`],
  ['docs/store.md', `the rows of the last ${count(TRAIL_BATCHES)} batches`],
  ['docs/store.md', `shingle counts of ${count(PAGE_CONTENTS)} contents`],
  ['docs/store.md', `up to the next ${own('store/level/files/log-file', 'BLOCK_BYTES') / 1024} KB`],
  ['docs/store.md', `503 after ${seconds(own('store/level/database/database', 'EXCHANGE_WAIT_MS'))}`],
  ['docs/store.md', `the second waits ${word(own('store/level/outage/outage', 'REST'))} times as long`],
  ['docs/operation.md', `the log says so every ${seconds(own('open-index', 'SLOW_MS'))}`],
  ['docs/operation.md', `${seconds(own('store/level/backups/take', 'WRITES_WAIT_MS_MAX'))} at most, else the backup`],
  [
    'docs/operation.md',
    `${count(level('maxOpenFiles'))} of them open, of ${own('store/level/database/level-handle', 'TABLE_BYTES') / 2 ** 20} MB each`,
  ],
  ['docs/operation.md', `the rest: ${own('store/level/memory', 'POSTING_BYTES')} bytes each`],
  ['docs/architecture.md', `an address (of IPv6 a /${own('http/callers/caller', 'IPV6_NETWORK_BITS')})`],
  ['docs/architecture.md', `one more for each ${BODY_BYTES_A_PLACE / 1024} KiB of its body`],
  ['docs/architecture.md', `lent for ${seconds(own('workers/parser-lane', 'LENT_MS'))},`],
  ['docs/architecture.md', `(${mib(bulkBytesInFlightMax)} at work`],
  ['docs/architecture.md', `rows that lie in memory, ${near('NEAR_MS_MAX')} ms an iteration`],
  ['docs/architecture.md', `the first ${list} of a list by a keyed rank`],
  ['docs/compare.md', `Of each text ${mib(differencesTextBytesMax)} are compared`],
  ['docs/compare.md', `and ${count(differencesSpansMax)} spans told`],
  ['docs/api.md', `beyond ${mib(differencesTextBytesMax)} each`],
  ['docs/api.md', `spans beyond the first ${count(differencesSpansMax)} of each text`],
  ['docs/compare.md', `(\`SHINGLE_SIZE\`, ${shingleSize} words where not set)`],
  ['docs/search-pages.md', `A request has ${mib(config.BODY_BYTES_MAX)} at most`],
];

describe('numbers in the pages', () => {
  it.each(SENTENCES)('%s tells: %s', (page, sentence) => {
    // what is expected is in the name of the test; what there is, a whole page, would hide it
    expect(readText(page).replaceAll(/\s+/g, ' ').includes(sentence)).toBe(true);
  });

  it('are nowhere told of as settings where none changes them', () => {
    const pages = [...filesUnder('docs', '.md'), ...filesUnder('examples', ''), 'openapi/openapi.json', 'README.md'];
    expect(pages.length).toBeGreaterThan(15);
    const words = pages.flatMap((path) =>
      (readText(path).match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []).map((word) => [path, word]),
    );
    expect(words.filter(([, word]) => word! in REMOVED_SETTINGS)).toEqual([]);
  });
});
