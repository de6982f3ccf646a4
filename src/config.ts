import Type, { type Static } from 'typebox';
import { faultOfKeys, readKeysFile } from './config/api-keys.ts';
import { fetchSettings, indexSettings, serviceSettings } from './config/service-settings.ts';
import { allowedValues, decimal, Fault, limitSettings, readSetting, type SettingSchema } from './config/setting.ts';
import { type Environment, warningsOf } from './config/unused-names.ts';
import { ShingledError } from './errors.ts';
import { EXTRACT_LIMIT_ROWS } from './extract/limits.ts';
import { FETCH_LIMIT_ROWS } from './fetch/limits.ts';
import { isLoopback } from './http/hosts.ts';
import { HTTP_LIMIT_ROWS } from './http/limits.ts';
import { INGEST_LIMIT_ROWS } from './ingest/limits.ts';
import { SERVICE_LIMIT_ROWS } from './service/limits.ts';
import { PAST_RESEMBLANCE_ROW, RETENTION_ROWS, STORE_LIMIT_ROWS } from './store/limits.ts';
import { PIPELINE_LIMIT_ROWS } from './workers/limits.ts';

/** The whole environment of the service: every name, its type, range, default and reason. */
export const EnvironmentSchema = Type.Object({
  ...serviceSettings,
  ...indexSettings,
  ...fetchSettings,
  ...limitSettings('RETENTION_', RETENTION_ROWS),
  RETENTION_PAST_RESEMBLANCE_MAX: decimal(PAST_RESEMBLANCE_ROW),
  ...limitSettings('', STORE_LIMIT_ROWS),
  ...limitSettings('', HTTP_LIMIT_ROWS),
  ...limitSettings('', SERVICE_LIMIT_ROWS),
  ...limitSettings('EXTRACT_', EXTRACT_LIMIT_ROWS),
  ...limitSettings('WORKERS_', PIPELINE_LIMIT_ROWS),
  ...limitSettings('FETCH_', FETCH_LIMIT_ROWS),
  ...limitSettings('INGEST_', INGEST_LIMIT_ROWS),
});

type DeepReadonly<T> = T extends readonly (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** The settings that are in force; frozen. Named as in the environment. */
export type Config = DeepReadonly<Static<typeof EnvironmentSchema>>;

/** Every setting with its schema, in the order in which it is documented. */
export const settings: readonly (readonly [name: string, schema: SettingSchema])[] = Object.entries(
  EnvironmentSchema.properties,
).map(([name, schema]) => [name, schema as unknown as SettingSchema]);

/**
 * Reads and checks the configuration. An empty text counts as not set; so Compose's `NAME: ${NAME:-}` works.
 *
 * @returns the settings, and one warning for each name that was a setting once or looks like a misspelt one.
 * @throws ShingledError `invalid-config`: all faults at once, a line each, with the setting's name, what is wrong with
 *   its value and what is allowed. No line holds any part of API_KEYS.
 */
export function readConfig(environment: Environment): {
  readonly config: Config;
  readonly warnings: readonly string[];
} {
  const faults = new Map<string, string>();
  const values: Record<string, unknown> = {};
  for (const [name, schema] of settings) {
    const text = environment[name] ?? '';
    const read = text === '' ? { value: schema.default } : readSetting(schema, text);
    if ('value' in read) values[name] = read.value;
    else faults.set(name, `${read.fault}; allowed: ${allowedValues(schema)}`);
  }
  const config = values as Static<typeof EnvironmentSchema>;
  const fileFault = faults.has('API_KEYS') ? null : takeKeysFile(config);
  if (fileFault !== null) faults.set('API_KEYS_FILE', fileFault);
  for (const rule of rulesAcross) {
    const fault = rule.needs.some((name) => faults.has(name)) ? null : rule.fault(config);
    if (fault !== null) faults.set(rule.needs[0], fault);
  }
  if (faults.size > 0) {
    throw new ShingledError('invalid-config', [...faults].map(([name, fault]) => `${name}: ${fault}`).join('\n'));
  }
  if (config.API_KEYS.length === 0 && (environment['RATE_LIMIT_PER_MINUTE'] ?? '') === '') {
    config.RATE_LIMIT_PER_MINUTE = 0;
  }
  return { config: deepFreeze(config), warnings: warningsOf(environment, Object.keys(EnvironmentSchema.properties)) };
}

/** Reads the keys of API_KEYS_FILE into API_KEYS. @returns what is wrong with it, null where nothing is */
function takeKeysFile(config: Static<typeof EnvironmentSchema>): string | null {
  const { API_KEYS, API_KEYS_FILE } = config;
  if (API_KEYS_FILE === null) return null;
  const schemaOf = (name: 'API_KEYS' | 'API_KEYS_FILE') => serviceSettings[name] as unknown as SettingSchema;
  const faultWith = (fault: string, name: Parameters<typeof schemaOf>[0]) =>
    `${fault}; allowed: ${allowedValues(schemaOf(name))}`;
  if (API_KEYS.length > 0) return faultWith('API_KEYS is set, too', 'API_KEYS_FILE');
  try {
    const read = readSetting(schemaOf('API_KEYS'), readKeysFile(API_KEYS_FILE));
    if ('fault' in read) return faultWith(read.fault, 'API_KEYS');
    config.API_KEYS = read.value as typeof API_KEYS;
    return faultOfKeys(config.API_KEYS);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return faultWith(error.message, 'API_KEYS_FILE');
  }
}

/** A rule between settings that are fine each by itself; it waits until all that it needs are. */
interface RuleAcross {
  readonly needs: readonly [keyof Config, ...(keyof Config)[]];
  readonly fault: (config: Config) => string | null;
}

const rulesAcross: readonly RuleAcross[] = [
  { needs: ['API_KEYS', 'API_KEYS_FILE'], fault: ({ API_KEYS }) => faultOfKeys(API_KEYS) },
  {
    needs: ['HOST', 'API_KEYS', 'API_KEYS_FILE'],
    fault: ({ HOST, API_KEYS }) =>
      API_KEYS.length > 0 || isLoopback(HOST)
        ? null
        : `"${HOST}" is not a loopback address; allowed without API_KEYS: 127.0.0.1, ::1, localhost`,
  },
  {
    needs: ['RECORD_MODULUS', 'INDEX_MODULUS'],
    fault: ({ RECORD_MODULUS, INDEX_MODULUS }) =>
      INDEX_MODULUS === null || Number(RECORD_MODULUS) <= INDEX_MODULUS
        ? null
        : `${RECORD_MODULUS} is too large; allowed: at most INDEX_MODULUS (${INDEX_MODULUS})`,
  },
  {
    needs: ['CORS_ORIGINS'],
    fault: ({ CORS_ORIGINS }) =>
      CORS_ORIGINS.includes('*') && CORS_ORIGINS.length > 1
        ? '"*" stands beside other origins; allowed: origins, or * alone'
        : null,
  },
  {
    needs: ['CORS_ORIGINS', 'API_KEYS', 'API_KEYS_FILE'],
    fault: ({ CORS_ORIGINS, API_KEYS }) =>
      CORS_ORIGINS.includes('*') && API_KEYS.length === 0
        ? '"*" lets every web page that is open on this machine do everything; allowed without API_KEYS: origins by name'
        : null,
  },
];

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
