import { canTakeOneCore, type Job, type Measured } from '../measure.ts';
import { duration, type Group, microseconds, rate, ratio } from '../rows.ts';
import { type Row, spreadOf } from '../table.ts';
import type { HtmlUse } from './html-jobs.ts';
import type { HttpUse } from './http-jobs.ts';
import { TEXTS, type TextsName, textsOf } from './kernel-texts.ts';
import type { KernelName } from './text-jobs.ts';

/* Every row of the bench: which processes it takes, and what is made of what they found. */

const KERNELS = ['TypeScript', 'WASM'] as const;
const PAIRS = 20_000;
const SHINGLES = 5_000_000;
const POOL_MEASURED_MS = 1000;

/** How many times naive the kernels have to be. */
const TIMES_NAIVE: Readonly<Record<string, string>> = {
  'TypeScript, english 5 KB': '>= 10',
  'WASM, english 5 KB': '>= 22',
  'WASM, european': '>= 16',
  'WASM, intl': '>= 16',
  'WASM, non-Latin': '>= 8',
};

/** In the order of the table; `folder` holds the pages, `rounds` share the pairs among them. */
export function planOf(folder: string | undefined, rounds: number): Group[] {
  return [
    memory(),
    ...TEXTS.map((name) => texts(name)),
    html(folder),
    twoThreads(),
    http(),
    ...KERNELS.map((kernel) => large(kernel)),
    loopDelay(),
    resemblance(Math.ceil(PAIRS / rounds)),
    collisions(),
  ];
}

function memory(): Group {
  const copies = [64 * 2 ** 20, 5000].map((pieceBytes) => ({
    name: `memory bandwidth: copies of ${pieceBytes === 5000 ? '5 KB' : '64 MiB'}`,
    work: async () => (await import('./text-jobs.ts')).measureCopy(pieceBytes),
  }));
  return { jobs: copies, rows: (found) => copies.map((copy) => rate(copy.name, 'bytes', found(copy))) };
}

function texts(name: TextsName): Group {
  const naive = {
    name: `naive, ${name}`,
    work: async () => (await import('./text-jobs.ts')).measureNaive(name),
  };
  const regex = {
    name: `regular expression alone, ${name}`,
    work: async () => (await import('./text-jobs.ts')).measureRegex(name),
  };
  const kernels = KERNELS.map((kernel) => ({
    name: `${kernel}, ${name}`,
    work: async () => (await import('./text-jobs.ts')).measureKernel(kernel, name),
  }));
  const lines = name === 'english 5 KB' ? [regex] : [];
  return {
    jobs: [naive, ...lines, ...kernels],
    rows: (found) => [
      ...[naive, ...lines].map((line) => rate(line.name, 'bytes', found(line))),
      ...kernels.flatMap((kernel) => {
        const measured = found(kernel);
        const target = TIMES_NAIVE[kernel.name];
        const isHeld = kernel.name === 'WASM, english 5 KB';
        return [
          rate(kernel.name, 'bytes', measured, { note: `${microseconds(measured)} a document` }),
          ratio('naive', measured, found(naive), target === undefined ? {} : { target }),
          rate('  … documents', 'documents', measured, isHeld ? { target: '>= 70000' } : {}),
        ];
      }),
    ],
  };
}

function html(folder: string | undefined): Group {
  const use = (name: HtmlUse) => ({
    name,
    work: async () => (await import('./html-jobs.ts')).measureHtml(name, folder),
  });
  const cheerio = use('cheerio + naive');
  const sax = use('htmlparser2 SAX + naive');
  const saxAlone = use('htmlparser2 SAX');
  const text = use('HTML to text');
  const sketches = KERNELS.map((kernel) => use(`HTML to sketch, ${kernel}`));
  return {
    jobs: [cheerio, sax, saxAlone, text, ...sketches],
    rows: (found) => [
      ...[cheerio, sax, saxAlone, text].map((job) => rate(job.name, 'bytes', found(job))),
      ratio('htmlparser2 SAX', found(text), found(saxAlone), { target: '>= 3' }),
      ...sketches.flatMap((job) => {
        const targets = job.name.endsWith('WASM') ? [{ target: '>= 40' }, { target: '>= 5' }] : [];
        return [
          rate(job.name, 'bytes', found(job), { note: `${microseconds(found(job))} a page` }),
          ratio(cheerio.name, found(job), found(cheerio), targets[0]),
          ratio(sax.name, found(job), found(sax), targets[1]),
        ];
      }),
    ],
  };
}

function twoThreads(): Group {
  const pool = (threads: number) => ({
    name: `worker pool with digests, english 5 KB, ${threads === 1 ? 'one thread' : 'two threads'}`,
    work: async () =>
      (await import('./sketch-pool.ts')).measureSketchPool(threads, textsOf('english 5 KB'), POOL_MEASURED_MS),
  });
  const loop = {
    name: 'sketch and digests on the event loop alone, english 5 KB',
    work: async () => (await import('./sketch-pool.ts')).measureSketchLoop(textsOf('english 5 KB'), POOL_MEASURED_MS),
  };
  const [one, two] = [pool(1), pool(2)];
  const onOneCore = { ...two, name: `${two.name}, all on one core`, onOneCore: true };
  const oneCore = canTakeOneCore ? [onOneCore] : [];
  return {
    jobs: [loop, one, ...oneCore, two],
    rows: (found) => {
      const byWall = (row: string, base: Job<Measured>, more?: Partial<Row>): Row => {
        const { wall, ...byCpu } = ratio(row, found(two), found(base), more);
        return { ...byCpu, ...wall, unit: 'times, wall time' };
      };
      return [
        ...[loop, one, ...oneCore, two].map((job) =>
          rate(job.name, 'bytes', found(job), { note: `${microseconds(found(job))} a document, all threads together` }),
        ),
        ...oneCore.map((job) => byWall('one core', job, { target: '>= 1.7', note: 'the same threads on it' })),
        byWall('one thread', one, { note: 'which the event loop feeds from the other core' }),
        byWall('the event loop', loop, { note: 'which hands nothing over' }),
      ];
    },
  };
}

function http(): Group {
  const use = (name: HttpUse) => ({
    name: `POST of 5 KB, ${name}`,
    work: async () => (await import('./http-jobs.ts')).measureHttp(name),
  });
  const nothing = use('nothing');
  const uses = [use('sketch'), use('sketch and digests')];
  const requests = (job: Job<Measured>, found: readonly Measured[]): Row =>
    rate(job.name, 'documents', found, { unit: 'requests/s', note: `${microseconds(found)} of the server's CPU time` });
  return {
    jobs: [nothing, ...uses],
    rows: (found) => [
      requests(nothing, found(nothing)),
      ...uses.flatMap((job) => [
        requests(job, found(job)),
        ratio('nothing', found(job), found(nothing), job === uses[0] ? { target: '>= 0.6' } : {}),
      ]),
    ],
  };
}

function large(kernel: KernelName): Group {
  const job = {
    name: `one document of 5 MB, ${kernel}`,
    work: async () => (await import('./text-jobs.ts')).measureLarge(kernel),
  };
  const targets = kernel === 'WASM' ? [{ target: '<= 60' }, { target: '<= 32' }] : [];
  return {
    jobs: [job],
    rows: (found) => [
      duration(job.name, found(job), targets[0]),
      { row: '  … memory above it', ...spreadOf(found(job).map((one) => one.peakMb)), unit: 'MB', ...targets[1] },
    ],
  };
}

function loopDelay(): Group {
  const job = {
    name: 'event loop delay p99, ten pages of 1 MB among small queries',
    work: async () => (await import('../loop/loop-delay.ts')).measureLoopDelay(),
  };
  const unit = 'ms of wall time';
  return {
    jobs: [job],
    rows: (found) => [
      { row: job.name, ...spreadOf(found(job).map((one) => one.mixedMs)), unit, target: '<= 10' },
      { row: '  … the small queries alone', ...spreadOf(found(job).map((one) => one.queriesMs)), unit },
    ],
  };
}

function resemblance(pairs: number): Group {
  const job = {
    name: 'RMSE of r / binomial limit',
    work: async (round: number) => (await import('./sketch-quality.ts')).resemblanceErrors(round * pairs, pairs),
  };
  return {
    jobs: [job],
    rows: (found) => {
      const parts = found(job);
      const sum = (of: 'pairs' | 'squares' | 'squaresExpected') => parts.reduce((all, part) => all + part[of], 0);
      return [
        {
          row: job.name,
          ...spreadOf(parts.map((part) => Math.sqrt(part.squares / part.squaresExpected))),
          value: Math.sqrt(sum('squares') / sum('squaresExpected')),
          unit: '',
          target: '0.95 to 1.04',
          note: `of all ${sum('pairs').toLocaleString('en')} pairs; spread: of ${pairs.toLocaleString('en')} each`,
        },
      ];
    },
  };
}

function collisions(): Group {
  const job = {
    name: 'collisions at 64 bits',
    work: async () => (await import('./sketch-quality.ts')).countCollisions(SHINGLES),
  };
  return {
    jobs: [job],
    once: true,
    rows: (found) => {
      const { shingles, at64Bits, at40Bits } = found(job)[0]!;
      const expected = (shingles ** 2 / 2 ** 41).toFixed(1);
      return [
        { row: 'distinct real shingles', value: shingles, unit: '', target: `>= ${SHINGLES}` },
        { row: job.name, value: at64Bits, unit: '', target: '<= 0' },
        { row: 'collisions at 40 bits', value: at40Bits, unit: '', note: `chance makes ${expected}` },
      ];
    },
  };
}
