import { runCli } from '../../../src/cli/cli.ts';
import type { CliCommands } from '../../../src/cli/cli-commands.ts';
import type { CliStreams } from '../../../src/cli/streams.ts';
import type { IndexAccess } from '../../../src/client/port.ts';
import type { RepairResult } from '../../../src/commands/index-commands.ts';
import type { BackupsAnswer, StatsAnswer } from '../../../src/service/api.ts';

export const STATS: StatsAnswer = {
  version: '1.2.3',
  fingerprintId: '1.9f3c',
  kernel: 'wasm',
  shingleSize: 7,
  indexModulusMax: 8,
  recordModulusMax: 4,
  createdAt: '2026-11-20T00:00:00Z',
  sources: 12345,
  contents: 9,
  postings: 800,
  diskBytes: 3 * 2 ** 20,
  freeBytes: null,
  writable: true,
  uptimeS: 0,
  index: {
    ...{ segments: 2, segmentPostings: 790, tailContents: 1, tailPostings: 10, forgotten: 0, merging: false },
    longestLists: [{ contents: 3, share: 0.333333 }],
    bytesByKind: { sources: 1, records: 2048, digests: 0, postings: 0, shingleCounts: 0 },
    memoryBytes: {
      contentTable: 2 ** 20,
      knownKeys: 0,
      holders: 0,
      tail: 2 ** 20,
      images: 0,
      filters: 0,
      families: 0,
      level: 2 ** 20,
    },
    imageBytesLeft: 0,
  },
  damage: null,
  upkeep: null,
};

export const COUNTS = { sources: 1200, contents: 9, postings: 800, versions: 0 };

export const TOTALS = { nextContent: 9, sources: 1200, contents: 9, postings: 800 };

export const REPAIRED: RepairResult = {
  ...{
    keptIn: '/x.damaged',
    manifest: true,
    highWater: true,
    missing: [],
    unreadable: [],
    blocks: 0,
    damagedFiles: [],
  },
  ...{ logPlaces: 0, batchesLost: 0, totals: TOTALS, before: TOTALS, seq: 9, lostUrlCount: 0, lostUrls: [] },
  rows: { records: 0, sources: 0, versions: 0, pastContents: 0, unheld: 0, description: false },
};

export const BACKUPS: BackupsAnswer['backups'] = [
  {
    ...{ name: 'tuesday', createdAt: '2026-11-21T00:00:00Z', bytes: 3 * 2 ** 20, files: 12, documents: null },
    ...{ state: 'unverified', verifiedAt: null, problem: null },
  },
  {
    ...{ name: 'monday', createdAt: '2026-11-20T00:00:00Z', bytes: 2 ** 20, files: 12, documents: 1200 },
    ...{ state: 'verified', verifiedAt: '2026-11-20T09:00:00Z', problem: null },
  },
  {
    ...{ name: 'old', createdAt: null, bytes: null, files: null, documents: null },
    ...{ state: 'damaged', verifiedAt: null, problem: 'db/000005.ldb is missing.' },
  },
];

/** An index of which only these uses are expected. */
export function indexWith(uses: Partial<IndexAccess>): IndexAccess {
  const unexpected = () => Promise.reject(new Error('nobody should ask this'));
  return {
    place: 'a test',
    bulk: unexpected as never,
    durable: unexpected,
    put: unexpected,
    lastSeen: unexpected,
    similar: unexpected,
    similarLines: unexpected as never,
    composition: unexpected,
    compare: unexpected,
    compareAsked: unexpected,
    moved: unexpected,
    movedLines: unexpected as never,
    cluster: unexpected,
    stats: unexpected,
    list: unexpected,
    countByHost: unexpected,
    versions: unexpected,
    changesByHost: unexpected,
    exportLines: unexpected as never,
    forgetSelected: unexpected,
    close: async () => {},
    ...uses,
  };
}

async function* nothingToRead(): AsyncGenerator<Uint8Array> {}

/** Runs a command line against commands that note how they were called. */
export async function runWith(
  args: string[],
  replaced: Partial<CliCommands> = {},
  {
    onErr,
    ...terminal
  }: Partial<Pick<CliStreams, 'isTerminal' | 'isOutputTerminal' | 'catchInterrupts'>> & {
    onErr?: (text: string) => void;
  } = {},
) {
  const calls: unknown[] = [];
  const commands: CliCommands = {
    serve: async (dataDir) => void calls.push(['serve', dataDir]),
    check: async (dataDir, progress) => {
      calls.push(['check', dataDir]);
      progress('read 9 records');
      return { problems: [], counts: COUNTS, advice: null };
    },
    checkBackup: async (backup, progress) => {
      calls.push(['checkBackup', backup]);
      progress('Checking files ...');
      return { problems: [], counts: COUNTS, advice: null };
    },
    backups: async (folder) => {
      calls.push(['backups', folder]);
      return { backups: BACKUPS, more: 2 };
    },
    prune: async (folder, how) => {
      calls.push(['prune', folder, how]);
      return { kept: ['b', 'a'], deleted: [], leftAlone: [] };
    },
    open: async (where) => {
      calls.push(['open', where]);
      return indexWith({ stats: async () => STATS });
    },
    fill: (where) => commands.open(where),
    cluster: () => Promise.reject(new Error('nobody should cluster this')),
    clusters: async () => null,
    dedupe: () => Promise.reject(new Error('nobody should remove copies here')),
    sources: async () => ({
      find: () => Promise.reject(new Error('nobody should look for this')),
      openInputs: () => Promise.reject(new Error('nobody should read this')) as never,
      patternWords: () => [],
      marksOf: () => Promise.reject(new Error('nobody should look at this')),
      planRewrite: () => Promise.reject(new Error('nobody should copy this')),
      openList: () => Promise.reject(new Error('nobody should read this')) as never,
      fetchDocument: () => Promise.reject(new Error('nobody should fetch this')),
      close: async () => {},
    }),
    backup: async (dataDir, target) => {
      calls.push(['backup', dataDir, target]);
      return {
        path: '/b',
        createdAt: '2026-11-20T00:00:00Z',
        files: 12,
        bytes: 3 * 2 ** 20,
        linkedFiles: 9,
        writesWaitedMs: 0,
        elapsedMs: 1,
      };
    },
    restore: async (dataDir, backup, progress) => {
      calls.push(['restore', dataDir, backup]);
      progress('Copying');
      return { path: '/d', createdAt: '2026-11-20T00:00:00Z', counts: COUNTS };
    },
    repair: async (dataDir, progress) => {
      calls.push(['repair', dataDir]);
      progress('Reading');
      return REPAIRED;
    },
    compact: async (dataDir) => {
      calls.push(['compact', dataDir]);
      return { diskBytesBefore: 2048, diskBytesAfter: 1024, elapsedMs: 1 };
    },
    migrate: async (dataDir, backup) => {
      calls.push(['migrate', dataDir, backup]);
      return { path: '/d', from: 4, to: 5, pipeline: { from: 2, to: 3 } };
    },
    urls: async (dataDir, backup, write) => {
      calls.push(['urls', dataDir, backup]);
      await write(['{"op":"put"}\n', '{"op":"gone"}\n']);
      return { path: '/d', urls: 2, isWhole: true };
    },
    ...replaced,
  };
  const out: string[] = [];
  const err: string[] = [];
  const streams: CliStreams = {
    out: (text) => void out.push(text),
    err: (text) => {
      err.push(text);
      onErr?.(text);
    },
    flow: async (texts) => {
      for await (const text of texts) out.push(text);
    },
    outBytes: async (bytes) => void out.push(Buffer.from(bytes).toString()),
    ...{ input: nothingToRead(), isTerminal: false, isOutputTerminal: false, columns: 80 },
    catchInterrupts: () => new AbortController().signal,
    ...terminal,
  };
  const code = await runCli(args, commands, '1.2.3', streams);
  return { code, out: out.join(''), err: err.join(''), calls };
}
