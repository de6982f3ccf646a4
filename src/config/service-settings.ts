import ipaddr from 'ipaddr.js';
import Type from 'typebox';
import { DEFAULT_FETCH_LIMITS, DEFAULT_USER_AGENT } from '../fetch/limits.ts';
import { readHost } from '../http/hosts.ts';
import { NEW_INDEX } from '../store/settings.ts';
import { ApiKeySchema, readApiKey, SCOPES, SECRET_LENGTH_MIN } from './api-keys.ts';
import {
  Fault,
  flag,
  list,
  ofIndex,
  oneOf,
  optionalPattern,
  optionalWhole,
  optionalWords,
  whole,
  words,
} from './setting.ts';

const MODULI = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Where the service listens, who may call it, and where its index is. */
export const serviceSettings = {
  HOST: words('^[A-Za-z0-9.:_-]+$', {
    default: '127.0.0.1',
    allowed: 'a host name or an IP address; without API_KEYS a loopback one (127.0.0.1, ::1, localhost)',
    description: 'Address to listen on.',
    reason: 'Without keys everybody who reaches the port may do everything, so only this machine reaches it.',
  }),
  PORT: whole({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0 takes a free one and logs it.',
    reason: 'The usual port of a service behind a proxy; needs no privileges.',
  }),
  BASE_PATH: words('^(/(?!\\.+(/|$))[A-Za-z0-9._~-]+)*$', {
    default: '',
    allowed: 'nothing, or a path such as /tools/shingled: letters, digits and ._~- between slashes, none at its end',
    description:
      'Path below which a proxy passes the service on without taking it off. What comes without the path is answered too, as health checks do.',
    reason: 'Most proxies take the path off; then nothing need be set.',
  }),
  DATA_DIR: words('^[^\\0]+$', {
    default: './data',
    allowed: 'a path, absolute or relative to the working directory',
    description: 'Folder of the index. Created, with a new index in it, where it is absent or empty.',
    reason: 'A bare clone starts with nothing to set up.',
  }),
  BACKUP_DIR: optionalWords({
    allowed: 'the path of a folder that neither lies in DATA_DIR nor holds it; made where it is absent',
    description: 'Folder in which `POST /admin/backup` may put backups; without it there are none while serving.',
    reason: 'Where backups belong is not for a caller to say.',
  }),
  CLUSTERS_DIR: optionalWords({
    allowed: 'the path of a folder that `shingled cluster --out` has made',
    description:
      'Folder of a clustered corpus, from which `GET /clusters` answers beside the index. One that takes its place is read when it is there.',
    reason: 'Clusters of a whole corpus are made beside the service.',
  }),
  API_KEYS: list(ApiKeySchema, {
    default: [],
    allowed: `entries name:scope+scope:secret; scopes ${SCOPES.join(', ')}; secrets of at least ${SECRET_LENGTH_MIN} visible ASCII characters but commas`,
    readItem: readApiKey,
    secret: true,
    description:
      'Who may call, sent as `Authorization: Bearer <secret>`. Without any, all calls from this machine are allowed.',
    reason: 'Trying the service out needs no keys; opening it to a network does, and is refused without.',
  }),
  API_KEYS_FILE: optionalWords({
    allowed:
      'the path of a file with entries as in API_KEYS, one a line, that only its owner may write; not beside API_KEYS',
    description: 'File to read API_KEYS from, such as a secret that is mounted into a container.',
    reason: 'More can see the environment of a process than a file.',
  }),
  RATE_LIMIT_PER_MINUTE: whole({
    default: 6000,
    minimum: 0,
    maximum: 10_000_000,
    description: 'Requests a minute for each key; 0 = no limit, which is also the default without API_KEYS.',
    reason: 'A hundred a second is more than a person or a page needs, and stops a client that runs wild.',
  }),
  ALLOWED_HOSTS: list(Type.String(), {
    default: [],
    allowed: 'hosts such as search.example (at any port) or search.example:8443',
    readItem: readAllowedHost,
    description:
      'Hosts that requests may be for, beside localhost and other loopback names at our port; others are answered 421. Without any, all hosts where there are API_KEYS, else loopback only.',
    reason: 'A web page whose name is made to mean this machine could else call a service that asks for no key.',
  }),
  CORS_ORIGINS: list(Type.String(), {
    default: [],
    allowed: 'origins such as https://app.example, or, with API_KEYS, * alone',
    readItem: readOrigin,
    description: 'Web pages of these origins may call from a browser.',
    reason:
      'A browser lets no page read the answers until its origin is named; without API_KEYS the service refuses to answer.',
  }),
  TRUST_PROXY: list(Type.String(), {
    default: [],
    allowed: 'networks in CIDR notation such as 10.20.0.0/16,127.0.0.1/32',
    readItem: readNetwork,
    description: 'Proxies whose X-Forwarded-For is believed, for the addresses in the log.',
    reason: 'Anybody can send that header.',
  }),
  TIMEGATE_PREFIX: optionalPattern('^https?://[A-Za-z0-9.:\\[\\]-]+/[!"$->@-~]*$', {
    allowed: 'the beginning of an http(s) URL such as https://web.archive.org/web/, in ASCII without spaces, ? and #',
    description:
      'What `GET /moved` writes before an old URL to say where archives have old versions of it; without it, it says nothing of archives.',
    reason: 'Which archive is trusted is not for us to say; nothing is asked of it.',
  }),
  QUERY_THREADS: optionalWhole({
    minimum: 0,
    maximum: 256,
    allowed: 'a whole number from 0 to 256',
    description:
      'Threads that answer queries beside the main one; 0: it answers them itself. Without it as many as there are cores but one, and one at the least.',
    reason: 'Each may take 68 MiB, records of families among them. The main thread serves HTTP and writes.',
  }),
  LOG_LEVEL: oneOf(LOG_LEVELS, {
    default: 'info',
    description: 'Least severe log lines that are written.',
    reason: 'One line a request, and what an operator needs to know.',
  }),
  DRAIN_TIMEOUT_MS: whole({
    default: 20_000,
    minimum: 0,
    maximum: 600_000,
    description: 'How long requests under way may take to finish after SIGTERM or SIGINT before they are cut off.',
    reason: 'Ten seconds less than the 30 s after which orchestrators kill.',
  }),
};

/** What an index is made with. All but INDEX_KEY_FILE and INDEX_MUST_EXIST are fixed when it is created. */
export const indexSettings = {
  SHINGLE_SIZE: ofIndex(
    whole({
      default: NEW_INDEX.shingleSize,
      minimum: 1,
      maximum: 32,
      description: 'Words in a shingle (w of the paper).',
      reason: 'On text reuse that people labelled, 7 ranks best and separates reuse from none nearly as well as 5.',
    }),
  ),
  INDEX_MODULUS: ofIndex(
    oneOf(MODULI, {
      default: NEW_INDEX.indexModulusMax,
      description: 'Of a long document, 1 in so many shingles can be looked up.',
      reason:
        'A passage of 50 words is found in a document of any length, with 2 one of 25 too; 32 is 2.5 times smaller, for resemblance only.',
    }),
  ),
  RECORD_MODULUS: ofIndex(
    oneOf(MODULI, {
      default: NEW_INDEX.recordModulusMax,
      description:
        'Of a long document, 1 in so many shingles is kept for estimates; at most INDEX_MODULUS, and no more where it is not set.',
      reason: 'On real pages the estimate of resemblance is off by .007 (root mean square) at 1.2 KB a page.',
    }),
  ),
  INDEX_KEY_FILE: optionalWords({
    allowed: 'the path of a file that holds an index key',
    description: 'File of the secret index key; without it the key lies in DATA_DIR.',
    reason: 'The key belongs beside the index unless a secret store holds it.',
  }),
  INDEX_MUST_EXIST: flag({
    default: false,
    description: 'Refuse to create an index. Set it once there is one: an unmounted volume looks like an empty folder.',
    reason: 'The first start should need no setting.',
  }),
};

/** Which hosts may be fetched from, and under what name. */
export const fetchSettings = {
  FETCH_ALLOWED_PRIVATE: list(Type.String(), {
    default: [],
    allowed: 'networks in CIDR notation such as 10.20.0.0/16,fd12::/16',
    readItem: readNetwork,
    description:
      'Private networks that may be fetched from all the same; loopback only where a network inside of it is named. Link-local and metadata addresses, multicast, broadcast, 0.0.0.0/8 and the port of the service itself stay closed.',
    reason: 'Whoever may fetch could otherwise reach what only this machine can.',
  }),
  FETCH_DENIED: list(Type.String(), {
    default: [],
    allowed: 'networks in CIDR notation such as 10.20.30.0/24,2001:db8::/32',
    readItem: readNetwork,
    description:
      'Networks that are never fetched from, whatever FETCH_ALLOWED_PRIVATE says and although they are public.',
    reason: 'An operator knows what else may not be asked from this machine.',
  }),
  FETCH_PORTS: list(Type.Integer({ minimum: 1, maximum: 65535 }), {
    default: DEFAULT_FETCH_LIMITS.portsAllowed,
    allowed: 'ports from 1 to 65535',
    description: 'Ports that may be fetched from.',
    reason: 'Documents are served there; other ports belong to other protocols.',
  }),
  FETCH_USER_AGENT: words('^[\\x21-\\x7e][\\x20-\\x7e]{0,199}$', {
    default: DEFAULT_USER_AGENT,
    allowed: '1 to 200 printable ASCII characters, not starting with a space',
    description: 'User-Agent of every fetch, and the name looked for in robots.txt. Add where you can be reached.',
    reason: 'An honest name.',
  }),
};

/** Reads `search.example`, `search.example:8443` or `[2001:db8::1]`. */
function readAllowedHost(text: string): string {
  if (readHost(text) === null) throw new Fault('$ is not a host, nor a host and a port');
  return text;
}

/** Reads `10.0.0.0/8`; bits beyond the prefix are refused, for they say that something else was meant. */
function readNetwork(text: string): string {
  const isV4 = /^\d+(\.\d+){3}\/\d+$/.test(text);
  if (!(isV4 || text.includes(':')) || !ipaddr.isValidCIDR(text))
    throw new Fault('$ is not a network in CIDR notation');
  const [address, bits] = ipaddr.parseCIDR(text);
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = family.networkAddressFromCIDR(text).toString();
  if (first !== address.toString())
    throw new Fault(`$ has address bits beyond its prefix; the network is ${first}/${bits}`);
  return text;
}

/** Reads an origin as browsers send it: scheme and host, no path, no slash at the end. */
function readOrigin(text: string): string {
  if (text === '*') return text;
  if (!(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) throw new Fault('$ is not an http(s) origin');
  const { origin } = new URL(text);
  if (origin !== text) throw new Fault(`$ is not an origin as browsers send it; that is ${origin}`);
  return text;
}
