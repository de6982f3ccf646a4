import { type ErrorCode, ShingledError } from '../errors.ts';

/** What the exit code says; printed by --help. */
export const EXIT_CODES = {
  done: 0,
  failed: 1,
  usage: 2,
  config: 3,
  index: 4,
  damaged: 5,
  /** What could be done is done. */
  refused: 6,
  interrupted: 7,
} as const;

/** What --help says of each. */
export const EXIT_CODE_TEXTS: readonly (readonly [code: number, text: string])[] = [
  [EXIT_CODES.done, 'done'],
  [EXIT_CODES.failed, 'failed; the message says why'],
  [EXIT_CODES.usage, 'the command line is wrong, or Node is too old'],
  [EXIT_CODES.config, 'a setting, a file that an option names, or the key is not valid'],
  [EXIT_CODES.index, 'the index or the service is missing, in use, full or not the one expected'],
  [EXIT_CODES.damaged, 'the index, the backup or the result is damaged'],
  [EXIT_CODES.refused, 'finished, but some documents or questions were refused'],
  [EXIT_CODES.interrupted, 'interrupted; run the same command again'],
];

const EXIT_CODE_OF: Partial<Record<ErrorCode, number>> = {
  'invalid-config': EXIT_CODES.config,
  unauthorized: EXIT_CODES.config,
  forbidden: EXIT_CODES.config,
  'index-missing': EXIT_CODES.index,
  'index-locked': EXIT_CODES.index,
  'index-mismatch': EXIT_CODES.index,
  'index-exists': EXIT_CODES.index,
  'load-unfinished': EXIT_CODES.index,
  'storage-full': EXIT_CODES.index,
  'backup-exists': EXIT_CODES.index,
  'backup-missing': EXIT_CODES.index,
  'folder-is-backup': EXIT_CODES.index,
  'service-unreachable': EXIT_CODES.index,
  'result-missing': EXIT_CODES.index,
  'result-damaged': EXIT_CODES.damaged,
  'backup-damaged': EXIT_CODES.damaged,
  'index-damaged': EXIT_CODES.damaged,
};

export function exitCodeOf(error: unknown): number {
  return (error instanceof ShingledError ? EXIT_CODE_OF[error.code] : undefined) ?? EXIT_CODES.failed;
}

/** Titles for the command line of errors whose own titles speak of requests. */
const TITLES: Partial<Record<ErrorCode, string>> = {
  'body-too-large': 'The document is too large',
  'invalid-request': 'What is asked for is not possible',
};

/** A failure as a person reads it, on lines of their own. */
export function explain(error: unknown): string {
  if (error instanceof ShingledError) {
    const lines = error.message.split('\n').map((line) => `  ${line}\n`);
    return `shingled: ${TITLES[error.code] ?? error.title} (${error.code})\n${lines.join('')}`;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `shingled: something went wrong inside (internal)\n${text}\n`;
}
