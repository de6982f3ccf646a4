import { Agent, type Dispatcher, request } from 'undici';
import { ERRORS, type ErrorCode, ShingledError } from '../errors.ts';
import { systemFault } from '../plain-words/system-faults.ts';
import { rest } from '../sharing/waiting.ts';

/*
 * Requests to a running service. Whatever it refuses for now is asked again:
 *
 *   429, 503                 after as long as it says, else after 0.5, 1, 2 … s, 30 s at most
 *   a connection that ends   the same, where the service was reached before: it may be starting again. So is an answer of
 *                            something else in its place, a proxy's
 *
 * All that is asked here may be asked twice: a write that is sent again comes to the same.
 */

export interface Question {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;
  readonly body?: string | Uint8Array;
  readonly contentType?: string | null;
}

export interface ClientOptions {
  /** `http://host:port`, with a path where the service lies below one. */
  readonly server: string;
  readonly apiKey: string | null;
  readonly attemptsMax?: number;
  /** The first pause, which doubles; Retry-After comes before it. */
  readonly pauseMs?: number;
}

/** Some four minutes in all: a service that starts again, or a disk that is made room on. */
const ATTEMPTS_MAX = 12;
const PAUSE_MS = 500;
const PAUSE_MS_MAX = 30_000;
/** Between two pieces of an answer: a bulk line waits for 30 s at most, and a fetch about as long. */
const SILENCE_MS_MAX = 300_000;

const WORTH_ANOTHER: ReadonlySet<number> = new Set([429, 503]);

export class ServiceClient {
  readonly server: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ headersTimeout: SILENCE_MS_MAX, bodyTimeout: SILENCE_MS_MAX });
  readonly #attemptsMax: number;
  readonly #pauseMs: number;
  #wasReached = false;

  /** @throws ShingledError `invalid-config` for an address that is none */
  constructor({ server, apiKey, attemptsMax = ATTEMPTS_MAX, pauseMs = PAUSE_MS }: ClientOptions) {
    this.server = baseOf(server);
    this.#headers = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
    this.#attemptsMax = attemptsMax;
    this.#pauseMs = pauseMs;
  }

  /** Asks for JSON. @throws ShingledError the one that the service answers with, or `service-unreachable` */
  async json<T>(question: Question): Promise<T> {
    return JSON.parse(await this.text(question)) as T;
  }

  /** Asks, again where the service says so. @throws ShingledError as {@link json} */
  text(question: Question): Promise<string> {
    return this.persistently(async () => {
      const answer = await this.#send(question);
      const text = await this.#readable(answer);
      if (answer.statusCode >= 400) throw this.#told(problemOf(answer, text));
      return text;
    });
  }

  /** Asks for lines, which are given out as they come. @throws ShingledError as {@link json}, nothing is asked again */
  async *lines(question: Question): AsyncGenerator<string, void, undefined> {
    const answer = await this.#send(question);
    if (answer.statusCode >= 400) throw this.#told(problemOf(answer, await this.#readable(answer)));
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const chunk of answer.body) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        const lines = text.split('\n');
        text = lines.pop()!;
        yield* lines;
      }
    } catch (cause) {
      throw this.#unreachable(cause);
    }
    if (text !== '') yield text;
  }

  /** Does something again while it fails by what passes. */
  async persistently<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt >= this.#attemptsMax || !this.#isPassing(error)) throw error;
        const { retryAfterS } = error as ShingledError;
        const pauseMs = retryAfterS === undefined ? this.#pauseMs * 2 ** (attempt - 1) : retryAfterS * 1000;
        await rest(Math.min(pauseMs, PAUSE_MS_MAX), { ref: true });
      }
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  #isPassing(error: unknown): boolean {
    if (!(error instanceof ShingledError)) return false;
    return error.code === 'service-unreachable' ? this.#wasReached : WORTH_ANOTHER.has(error.status);
  }

  async #send({ method, path, query = {}, body, contentType = null }: Question): Promise<Dispatcher.ResponseData> {
    const url = new URL(this.server + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
    }
    const type = contentType === null ? {} : { 'content-type': contentType };
    const options = { method, headers: { ...this.#headers, ...type }, body: body ?? null, dispatcher: this.#agent };
    try {
      const answer = await request(url, options);
      if (answer.statusCode < 400) this.#wasReached = true;
      return answer;
    } catch (cause) {
      throw this.#unreachable(cause);
    }
  }

  async #readable({ body }: Dispatcher.ResponseData): Promise<string> {
    try {
      return await body.text();
    } catch (cause) {
      throw this.#unreachable(cause);
    }
  }

  /** An error as the command line can act on it, which sends no headers and no routes of its own. */
  #told(error: ShingledError): ShingledError {
    const isOfService = error.code !== 'unknown-route' && error.code !== 'service-unreachable';
    if (isOfService) this.#wasReached = true;
    const hasKey = 'authorization' in this.#headers;
    if (error.code === 'unauthorized') {
      const detail = hasKey
        ? `${this.server} does not know the key in the file of --key-file.`
        : `${this.server} wants an API key: name a file that holds one with --key-file.`;
      return new ShingledError('unauthorized', detail, { cause: error });
    }
    if (error.code !== 'unknown-route') return error;
    const detail = `There is no service of this version at ${this.server}: --server takes its address, without a path of the API.`;
    return new ShingledError('service-unreachable', detail, { cause: error });
  }

  #unreachable(cause: unknown): ShingledError {
    const detail = `There is no answer from ${this.server}: ${systemFault(cause)}.`;
    return new ShingledError('service-unreachable', detail, { cause });
  }
}

function baseOf(server: string): string {
  const url = URL.parse(server);
  if (url !== null && /^https?:$/.test(url.protocol)) return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
  throw new ShingledError(
    'invalid-config',
    `--server: "${server}" is not the address of a service; write it as http://host:port or https://host.`,
  );
}

/** What an answer of problem+json says; of another one as much as its status does. */
function problemOf({ statusCode, headers }: Dispatcher.ResponseData, text: string): ShingledError {
  const retryAfterS = Number(headers['retry-after']);
  const retry = Number.isFinite(retryAfterS) && retryAfterS >= 0 ? { retryAfterS } : {};
  const problem = parsed(text);
  if (problem !== null && String(problem.code) in ERRORS) {
    const { code, detail = '', field, limit } = problem;
    return new ShingledError(code as ErrorCode, detail, { field, limit, ...retry });
  }
  // a proxy in front, say
  const code = statusCode === 429 ? 'rate-limited' : statusCode === 503 ? 'overloaded' : 'service-unreachable';
  return new ShingledError(code, `The answer has the status ${statusCode}, and is none of shingled.`, retry);
}

interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly field?: string;
  readonly limit?: { readonly name: string; readonly value: number };
}

function parsed(text: string): Problem | null {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return null;
  }
}
