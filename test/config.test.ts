import { chmodSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import Value from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { EnvironmentSchema, readConfig, settings } from '../src/config.ts';
import { ShingledError } from '../src/errors.ts';
import { configurationPage } from './support/docs/configuration-page.ts';
import { temporaryFolder } from './support/temp-folder.ts';

const KEY = 'alice:read+write:0123456789abcdef';

/** A file with keys. */
function keysFile(text: string, mode = 0o600): string {
  const path = `${temporaryFolder()}/keys`;
  writeFileSync(path, text);
  // whatever the umask says
  chmodSync(path, mode);
  return path;
}

/** The lines of the refusal of an environment. */
function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ShingledError && error.code === 'invalid-config') return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  it('is complete without any environment, by defaults that are allowed themselves', () => {
    const { config, warnings } = readConfig({});
    expect(Value.Check(EnvironmentSchema, config)).toBe(true);
    expect(Object.keys(config)).toEqual(settings.map(([name]) => name));
    expect(warnings).toEqual([]);
    const ofIndex = { SHINGLE_SIZE: null, INDEX_MODULUS: null, RECORD_MODULUS: null };
    expect(config).toMatchObject({ HOST: '127.0.0.1', PORT: 8080, ...ofIndex });
  });

  it('cannot be changed once it is read', () => {
    const { config } = readConfig({ API_KEYS: KEY });
    expect(() => Object.assign(config, { PORT: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.API_KEYS[0]!, { name: 'x' })).toThrow(TypeError);
  });

  it.each([
    ['PORT', '0', 0],
    ['SHINGLE_SIZE', '32', 32],
    ['INDEX_MODULUS', '1024', 1024],
    ['LOG_LEVEL', 'silent', 'silent'],
    ['INDEX_MUST_EXIST', 'true', true],
    ['INDEX_KEY_FILE', '/run/secrets/key', '/run/secrets/key'],
    ['FETCH_PORTS', '80, 8080', [80, 8080]],
    ['FETCH_ALLOWED_PRIVATE', '10.0.0.0/8,fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
    ['CORS_ORIGINS', 'https://a.example,http://b.example:8080', ['https://a.example', 'http://b.example:8080']],
    ['ALLOWED_HOSTS', 'a.example, b.example:8443,[2001:db8::1]', ['a.example', 'b.example:8443', '[2001:db8::1]']],
    ['HOST', '::1', '::1'],
    ['PORT', '', 8080],
    ['TIMEGATE_PREFIX', 'https://web.archive.org/web/', 'https://web.archive.org/web/'],
    ['TIMEGATE_PREFIX', 'http://[::1]:8080/timegate/', 'http://[::1]:8080/timegate/'],
  ])('reads %s=%s', (name, text, value) => {
    expect(readConfig({ [name]: text }).config).toHaveProperty(name, value);
  });

  it('lets all origins in only where there are keys', () => {
    expect(readConfig({ CORS_ORIGINS: '*', API_KEYS: KEY }).config.CORS_ORIGINS).toEqual(['*']);
  });

  it('reads keys with their scopes, and secrets that hold colons', () => {
    const { config } = readConfig({ API_KEYS: `${KEY}, bob:admin:0123:4567:89ab:cdef`, HOST: '0.0.0.0' });
    expect(config.API_KEYS).toEqual([
      { name: 'alice', scopes: ['read', 'write'], secret: '0123456789abcdef' },
      { name: 'bob', scopes: ['admin'], secret: '0123:4567:89ab:cdef' },
    ]);
  });

  it.each([
    ['PORT', '65536', '"65536" is out of range; allowed: a whole number from 0 to 65535'],
    ['PORT', '8o80', '"8o80" is not a whole number; allowed: a whole number from 0 to 65535'],
    ['PORT', '1e3', '"1e3" is not a whole number'],
    ['PORT', ' 80', '" 80" is not a whole number'],
    ['SHINGLE_SIZE', '0', '"0" is out of range; allowed: a whole number from 1 to 32'],
    ['INDEX_MODULUS', '12', '"12" is not allowed; allowed: one of 1, 2, 4, 8'],
    ['INDEX_MUST_EXIST', 'yes', '"yes" is neither true nor false; allowed: true or false'],
    ['LOG_LEVEL', 'verbose', '"verbose" is not allowed; allowed: one of fatal, error'],
    ['FETCH_PORTS', '80,99999', 'entry 2: "99999" is not allowed; allowed: ports'],
    ['FETCH_PORTS', '80,http', 'entry 2: "http" is not a whole number'],
    ['FETCH_ALLOWED_PRIVATE', '10.0.0.0', 'entry 1: "10.0.0.0" is not a network in CIDR notation'],
    ['FETCH_ALLOWED_PRIVATE', '10.1.2.3/8', 'the network is 10.0.0.0/8'],
    ['CORS_ORIGINS', 'https://a.example/', 'that is https://a.example; allowed'],
    ['CORS_ORIGINS', 'a.example', 'entry 1: "a.example" is not an http(s) origin'],
    ['CORS_ORIGINS', '*,https://a.example', '"*" stands beside other origins'],
    [
      'CORS_ORIGINS',
      '*',
      '"*" lets every web page that is open on this machine do everything; allowed without API_KEYS',
    ],
    ['ALLOWED_HOSTS', '*', 'entry 1: "*" is not a host, nor a host and a port; allowed: hosts such as'],
    ['ALLOWED_HOSTS', 'a.example,https://b.example', 'entry 2: "https://b.example" is not a host'],
    [
      'TIMEGATE_PREFIX',
      'web.archive.org/web/',
      '"web.archive.org/web/" is not allowed; allowed: the beginning of an http(s)',
    ],
    ['TIMEGATE_PREFIX', 'https://web.archive.org', 'is not allowed'],
    ['TIMEGATE_PREFIX', 'javascript://a.example/', 'is not allowed'],
    ['TIMEGATE_PREFIX', 'https://a:b@archive.example/web/', 'is not allowed'],
    ['TIMEGATE_PREFIX', 'https://archive.example/web?url=', 'is not allowed'],
    ['FETCH_USER_AGENT', 'a\r\nX-Evil: 1', '"a\\r\\nX-Evil: 1" is not allowed'],
    ['HOST', 'a host', '"a host" is not allowed'],
    ['HOST', '0.0.0.0', '"0.0.0.0" is not a loopback address; allowed without API_KEYS: 127.0.0.1'],
    ['HOST', '127.0.0.1.evil.example', 'is not a loopback address'],
    ['REQUEST_TIMEOUT_MS', '9999', '"9999" is out of range; allowed: a whole number from 10000'],
    ['PORT', 'x'.repeat(1000), `"${'x'.repeat(80)}…" is not a whole number`],
    ['PORT', '$&', '"$&" is not a whole number'],
  ])('refuses %s=%s with its name, the fault and what is allowed', (name, text, fault) => {
    const faults = faultsOf({ [name]: text });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
    expect(faults[0]).toMatch(new RegExp(`^${name}: .+; .*allowed`));
  });

  it('names all faults at once, a line each', () => {
    const faults = faultsOf({
      PORT: 'x',
      SHINGLE_SIZE: '99',
      INDEX_MODULUS: '8',
      RECORD_MODULUS: '16',
      HOST: '10.0.0.1',
    });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(['PORT', 'SHINGLE_SIZE', 'HOST', 'RECORD_MODULUS']);
  });

  it('does not take one fault for two', () => {
    expect(faultsOf({ API_KEYS: 'alice', HOST: '0.0.0.0' })).toHaveLength(1);
    expect(faultsOf({ INDEX_MODULUS: '3', RECORD_MODULUS: '16' })).toHaveLength(1);
  });

  it.each([
    ['too short a secret', 'alice:read:SECRETSECRET'],
    ['no scope', 'alice:SECRETSECRETSECRET'],
    ['an unknown scope', 'alice:SECRETSECRETSECRET:read'],
    ['no name', ':read:SECRETSECRETSECRET'],
    ['a secret in place of the name', 'SECRETSECRETSECRET!:read:alice'],
    ['a space in the secret', 'alice:read:SECRETSECRET SECRET'],
    ['the same name twice', 'alice:read:SECRETSECRETSECRET1,alice:read:SECRETSECRETSECRET2'],
    ['the same secret twice', 'alice:read:SECRETSECRETSECRET,bob:read:SECRETSECRETSECRET'],
  ])('refuses a key with %s, and repeats nothing of it', (_fault, keys) => {
    const faults = faultsOf({ API_KEYS: keys });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^API_KEYS: .+; allowed: /);
    expect(faults[0]).not.toContain('SECRET');
    expect(faults[0]).not.toContain('alice');
  });

  it('reads keys from a file: an entry a line, comments, empty lines and the ends of lines apart', () => {
    const file = keysFile(
      `# written by hand\r\n\r\n${KEY}\r\n  bob:admin:0123:4567:89ab:cdef , carol:fetch:${'c'.repeat(16)}\n`,
    );
    const { config } = readConfig({ API_KEYS_FILE: file, HOST: '0.0.0.0' });
    expect(config.API_KEYS.map(({ name, secret }) => [name, secret.length])).toEqual([
      ...[
        ['alice', 16],
        ['bob', 19],
        ['carol', 16],
      ],
    ]);
    expect(config.RATE_LIMIT_PER_MINUTE).toBe(6000);
  });

  it.each([
    ['that is not there', () => '/nowhere/SECRET', 'the file cannot be read (ENOENT)'],
    ['that is a folder', () => temporaryFolder(), 'the file cannot be read (EISDIR)'],
    ['without a key', () => keysFile('# none\n\n'), 'the file holds no key'],
    ['that is too large', () => keysFile('#'.repeat(1_000_001)), 'the file has more than 1000000 bytes'],
    ['with a fault', () => keysFile(`${KEY}\nSECRETSECRETSECRET`), 'entry 2: it is not of the form'],
    ['with two keys of one name', () => keysFile(`${KEY}\n${KEY}`), 'two keys have the same name'],
    ['that all may write', () => keysFile(KEY, 0o666), 'others than its owner may write the file'],
    ['that its group may write', () => keysFile(KEY, 0o620), 'others than its owner may write the file'],
    ['that is a key itself', () => 'alice:read:SECRETSECRETSECRET', 'the file cannot be read (ENOENT)'],
  ])('refuses a file of keys %s, by one fault, and repeats nothing of it', (_what, make, fault) => {
    const faults = faultsOf({ API_KEYS_FILE: make(), HOST: '0.0.0.0' });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`API_KEYS_FILE: ${fault}`);
    expect(faults[0]).toContain('allowed');
    expect(faults[0]).not.toContain('SECRET');
  });

  it('refuses a file of keys beside API_KEYS', () => {
    expect(faultsOf({ API_KEYS_FILE: keysFile(KEY), API_KEYS: KEY })).toEqual([
      expect.stringMatching(/^API_KEYS_FILE: API_KEYS is set, too; allowed: /),
    ]);
  });

  it('never repeats a secret, whatever stands in API_KEYS', () => {
    const letters = fc.string({ unit: fc.constantFrom('Q', 'Z', ':', '+', ',', ' ', '$', '&', 'read'), maxLength: 40 });
    fc.assert(
      fc.property(letters, (keys) => {
        for (const fault of faultsOf({ API_KEYS: keys })) expect(fault).not.toMatch(/[QZ]/);
      }),
      { seed: 20261121, numRuns: 2000 },
    );
  });

  it('fails only with its own error, whatever the environment holds', () => {
    const names = fc.constantFrom(...settings.map(([name]) => name));
    fc.assert(
      fc.property(fc.dictionary(names, fc.string({ maxLength: 30 }), { maxKeys: 5 }), (environment) => {
        faultsOf(environment);
      }),
      { seed: 20261121, numRuns: 2000 },
    );
  });

  it('limits the rate only where there are keys, unless told to', () => {
    expect(readConfig({}).config.RATE_LIMIT_PER_MINUTE).toBe(0);
    expect(readConfig({ API_KEYS: KEY }).config.RATE_LIMIT_PER_MINUTE).toBe(6000);
    expect(readConfig({ RATE_LIMIT_PER_MINUTE: '5' }).config.RATE_LIMIT_PER_MINUTE).toBe(5);
  });

  it.each([
    ['API_KEY', 'API_KEYS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['data_dir', 'DATA_DIR'],
    ['SHINGLE_SZIE', 'SHINGLE_SIZE'],
    ['FETCH_PRIVATE_ALLOWED', null],
    ['HOSTNAME', null],
    ['PATH', null],
    ['npm_config_user_agent', null],
  ])('warns about %s only where it looks like a misspelt setting', (name, meant) => {
    const { warnings } = readConfig({ [name]: 'x' });
    expect(warnings).toEqual(meant === null ? [] : [expect.stringContaining(`${name} is not a setting`)]);
    if (meant !== null) expect(warnings[0]).toContain(`did you mean ${meant}?`);
  });

  it('has for every setting a range, a description, a reason, and a default inside the range', () => {
    for (const [name, schema] of settings) {
      expect(name).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
      expect(schema.description.length, name).toBeGreaterThan(10);
      expect(schema.reason.length, name).toBeGreaterThan(10);
      expect(Value.Check(schema, schema.default), name).toBe(true);
    }
  });

  it('is documented in full', async () => {
    await expect(configurationPage()).toMatchFileSnapshot('../docs/configuration.md');
  });
});
