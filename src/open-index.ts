import type { Logger } from 'pino';
import { limitsFrom } from './config/setting.ts';
import type { Config } from './config.ts';
import { SHINGLE_SIZE_MAX, SHINGLE_SIZE_MIN } from './core/sketch/sketch.ts';
import { ShingledError } from './errors.ts';
import {
  createIndexKeyFile,
  deriveIdentity,
  fingerprintIdOf,
  olderFingerprintIdsOf,
  readIndexKeyFile,
} from './identity/index-key.ts';
import { refuseNested } from './nested-folders.ts';
import { type PreparedFolder, prepareFolder } from './store/level/folder/folder.ts';
import { openLevelStore } from './store/level/open.ts';
import type { OutageNews } from './store/level/outage/outage.ts';
import { RETENTION_ROWS, STORE_LIMIT_ROWS } from './store/limits.ts';
import { DAMAGE_ADVICE, type DamagedPart } from './store/port.ts';

/** Names the file of a key that lies outside of its index. */
export const KEY_SETTING = 'INDEX_KEY_FILE';
/** A file system that works answers sooner. */
const SLOW_MS = 5000;

/**
 * Opens the index of the configured folder, or creates it where that is absent or empty, and says so.
 *
 * @param pid of this process, for the lock
 * @throws ShingledError `invalid-config`, `index-missing`, `index-locked`, `index-mismatch`, `index-damaged`; the folder is
 *   given up again then
 */
export async function openIndex(config: Config, pid: number, log: Logger) {
  if (config.BACKUP_DIR !== null) await refuseNested('BACKUP_DIR', config.BACKUP_DIR, config.DATA_DIR);
  const folder = await answered(folderOf(config, config.INDEX_MUST_EXIST, pid), config.DATA_DIR, log);
  if (folder.isNew) log.warn(`there was no index in ${folder.path}: a new index is created`);
  const secret = await secretOf(folder);
  try {
    const store = await openLevelStore({
      folder,
      ...storeOptionsOf(secret, config),
      now: Date.now(),
      backupDir: config.BACKUP_DIR,
      onDamage: (part) => log.error(part, `the index is damaged: ${sayWhere(part)}. ${DAMAGE_ADVICE}`),
      onUnverified: ({ file, problem }) =>
        log.warn({ file, problem }, `${file} of the index could not be verified, and is tried again: ${problem}`),
      onNews: (news) => tell(news, log),
    });
    return { store, identity: deriveIdentity(secret, store.description.shingleSize) };
  } catch (error) {
    throw inSettings(error);
  }
}

/** Says so where the file system of a folder makes us wait: a network that is gone, say. */
async function answered<T>(asked: Promise<T>, folder: string, log: Logger): Promise<T> {
  const say = () => log.warn(`DATA_DIR: the file system of ${folder} does not answer; the start waits for it`);
  const timer = setInterval(say, SLOW_MS);
  try {
    return await asked;
  } finally {
    clearInterval(timer);
  }
}

function tell(news: OutageNews, log: Logger): void {
  switch (news.what) {
    case 'stopped':
      if (news.kind === 'reserve') log.warn({ err: news.cause }, 'writing stops: the disk is almost full');
      else log.error({ err: news.cause, write: news.kind }, 'writing stops: the disk has refused a write');
      return;
    case 'not recovered':
      log.warn({ err: news.cause }, 'writing does not go on yet');
      return;
    case 'resumed':
      log.info({ stoppedMs: news.stoppedMs }, 'writing goes on');
  }
}

const sayWhere = ({ file, problem }: DamagedPart) =>
  file === null ? problem.replace(/\.$/, '') : `${file}: ${problem}`;

/** @param isForLoad for a first load, which may go on with one that was begun there */
export function folderOf(config: Config, mustExist: boolean, pid: number, isForLoad = false): Promise<PreparedFolder> {
  const indexKeyFile = config.INDEX_KEY_FILE ?? undefined;
  return prepareFolder({ dataDir: config.DATA_DIR, indexKeyFile, mustExist, pid, isForLoad });
}

/** The key of an index, made where there is none yet; the folder is given up where that fails. */
export async function secretOf(folder: PreparedFolder): Promise<Uint8Array> {
  try {
    return folder.lacksKey
      ? createIndexKeyFile(folder.keyFile)
      : readIndexKeyFile(folder.keyFile, folder.isKeyOutside ? KEY_SETTING : null);
  } catch (error) {
    await folder.release();
    throw error;
  }
}

/** What is known of an index before it is opened: by its key, and by what is set. The rest it says itself. */
export function expectedOf(secret: Uint8Array, config: Config) {
  const { SHINGLE_SIZE: shingleSize, INDEX_MODULUS: indexModulusMax, RECORD_MODULUS: recordModulusMax } = config;
  // key and rank are the same for every size
  const { keyId, rankKey } = deriveIdentity(secret, shingleSize ?? SHINGLE_SIZE_MIN);
  const fingerprintId =
    shingleSize === null
      ? SHINGLE_SIZES.map((size) => fingerprintIdOf(keyId, size))
      : fingerprintIdOf(keyId, shingleSize);
  const sizes = shingleSize === null ? SHINGLE_SIZES : [shingleSize];
  const olderFingerprintIds = sizes.flatMap((size) => olderFingerprintIdsOf(keyId, size));
  return { keyId, rankKey, fingerprintId, olderFingerprintIds, shingleSize, indexModulusMax, recordModulusMax };
}

/** … and with what is set of its store. */
export function storeOptionsOf(secret: Uint8Array, config: Config) {
  const retention = {
    ...limitsFrom(config, 'RETENTION_', RETENTION_ROWS),
    pastResemblanceMax: config.RETENTION_PAST_RESEMBLANCE_MAX,
  };
  return { ...expectedOf(secret, config), ...limitsFrom(config, '', STORE_LIMIT_ROWS), retention };
}

const SHINGLE_SIZES = Array.from({ length: SHINGLE_SIZE_MAX + 1 }, (_, size) => size);

/** The settings that stand behind what an index was made with. */
const SETTING_OF: Readonly<Record<string, string>> = {
  shingleSize: 'SHINGLE_SIZE',
  indexModulusMax: 'INDEX_MODULUS',
  recordModulusMax: 'RECORD_MODULUS',
  keyId: KEY_SETTING,
};

/** The version of the pipeline that made an index stands before the dot. */
const OTHER_FINGERPRINTS = /^fingerprintId: the index was made with ((\d+)\.\w+), this start has (\d+)(\.\w+)\.$/;

/**
 * A mismatch in the words of the configuration. The fingerprint id differs wherever its parts do: it says something only
 * where it is of another version of the pipeline, which is no setting.
 */
export function inSettings(error: unknown): unknown {
  if (!(error instanceof ShingledError) || error.code !== 'index-mismatch') return error;
  const lines = error.message.split('\n').map(ofAnotherPipeline);
  const known = lines.filter((line) => !line.startsWith('fingerprintId:'));
  const said = (known.length > 0 ? known : lines).map(inSetting);
  return new ShingledError('index-mismatch', said.join('\n'), { cause: error });
}

function inSetting(line: string): string {
  const [, name = '', rest] = /^(\w+):(.*)$/.exec(line) ?? [];
  const setting = SETTING_OF[name];
  if (setting === undefined) return line;
  return `${setting}:${rest}${name === 'keyId' ? '' : ` Leave ${setting} out: the index knows its own.`}`;
}

function ofAnotherPipeline(line: string): string {
  const [, made, madeBy, runningBy, rest] = OTHER_FINGERPRINTS.exec(line) ?? [];
  if (madeBy === runningBy) return line;
  return (
    `The index was made by another version of shingled, whose fingerprints are ${made}; those of this one are ` +
    `${runningBy}${rest}. What counts as a word has changed, so neither can be compared with the other: put the ` +
    'documents into a new index in another DATA_DIR ("shingled urls" lists them), or open this one with the version that ' +
    'made it.'
  );
}
