import type { Resolver } from '../../../src/fetch/exchange/name-resolver.ts';
import type { Prng } from '../prng.ts';
import { privateAnswer, privateHost } from './address-spellings.ts';
import { answer, type Behaviour, redirect } from './origin-server.ts';

/*
 * Generated attempts to reach a private host through the fetcher. Each is a URL, what the name server says of each name in
 * it, time after time, and redirects that an allowed server sends. The hostile URL may be the first or come after some.
 *
 *   http://relay/<n>/<m> ── redirect ── http://relay/<n>/<m-1> ── … ── redirect ── hostile URL
 */

export type CaseKind = 'address' | 'name' | 'mixed-answer' | 'rebinding' | 'scheme';

export interface SsrfCase {
  readonly kind: CaseKind;
  /** How many redirects come before the hostile URL. */
  readonly redirects: number;
  readonly hostile: string;
  readonly url: string;
}

export interface Places {
  /** A server that may be fetched from, and answers with the redirects. */
  readonly relay: { readonly address: string; readonly port: number };
  readonly canaryPort: number;
}

/** Everything of one campaign that the cases share with the servers and the resolver. */
export class SsrfCases {
  readonly #prng: Prng;
  readonly #places: Places;
  readonly #redirects = new Map<string, { readonly location: string; readonly status: number }>();
  readonly #answers = new Map<string, readonly (readonly string[])[]>();
  #count = 0;

  constructor(prng: Prng, places: Places) {
    this.#prng = prng;
    this.#places = places;
  }

  next(): SsrfCase {
    const prng = this.#prng;
    const number = this.#count++;
    const kind = (['address', 'address', 'name', 'mixed-answer', 'rebinding', 'scheme'] as const)[prng.below(6)]!;
    const hostile = this.#hostileUrl(kind, number);
    const redirects = prng.below(2) === 0 ? 0 : 1 + prng.below(5);
    let url = hostile;
    for (let left = 0; left < redirects; left++) {
      const path = `/${number}/${left}`;
      this.#redirects.set(path, { location: url, status: [301, 302, 303, 307, 308][prng.below(5)]! });
      url = `http://${this.#places.relay.address}:${this.#places.relay.port}${path}`;
    }
    return { kind, redirects, hostile, url };
  }

  forget(): void {
    this.#redirects.clear();
    this.#answers.clear();
  }

  /** Answers per name in order, the last one again and again; a name without answers does not exist. */
  readonly resolver: Resolver = {
    resolve: async (hostname) => {
      const [first = [], ...later] = this.#answers.get(hostname) ?? [];
      if (later.length > 0) this.#answers.set(hostname, later);
      return first;
    },
  };

  /** What the relay does: the redirect of the path, else an error, so that no case ends in a document. */
  readonly relay: Behaviour = (socket, request) => {
    const next = this.#redirects.get(request.path);
    // a header holds bytes: what the URL has beyond ASCII goes as UTF-8, as servers send it
    const location = next && Buffer.from(next.location.replaceAll(/[\n\t]/g, '')).toString('latin1');
    (location === undefined ? answer({ status: 500 }) : redirect(location, next!.status))(socket, request);
  };

  #hostileUrl(kind: CaseKind, number: number): string {
    const prng = this.#prng;
    const { relay, canaryPort } = this.#places;
    const port = prng.below(8) === 0 ? 80 : canaryPort;
    if (kind === 'address') return this.#dressed(privateHost(prng), port);
    if (kind === 'scheme') return this.#otherScheme(port);
    const name = `n${number}.example`;
    const hostile = Array.from({ length: 1 + prng.below(3) }, () => privateAnswer(prng));
    const mixed = prng.below(2) === 0 ? [relay.address, ...hostile] : [...hostile, relay.address];
    if (kind === 'name') this.#answers.set(name, [hostile]);
    if (kind === 'mixed-answer') this.#answers.set(name, [mixed]);
    // the name is the relay's at first, which answers with a redirect to the name itself
    if (kind === 'rebinding') {
      this.#answers.set(name, [[relay.address], hostile]);
      this.#redirects.set(`/${number}/again`, { location: `http://${name}:${canaryPort}/`, status: 302 });
      return `http://${name}:${relay.port}/${number}/again`;
    }
    return this.#dressed(name, port);
  }

  #dressed(host: string, port: number): string {
    const { canaryPort } = this.#places;
    const forms = [
      `http://${host}:${port}/`,
      `HTTP://${host}:${port}/latest/meta-data/`,
      `http:${host}:${port}/`,
      `http:\\\\${host}:${port}\\`,
      `  http://${host}:${port}/#f`,
      `http:/${host}:${port}`,
      `http:///////${host}:${port}`,
      `https://${host}:${port}/`,
      `http://user:secret@${host}:${port}/`,
      `//${host}:${port}/`,
      `http://${host}:0${canaryPort}/`,
      `ht\ttp://${host}:${port}/`,
    ];
    return forms[this.#prng.below(forms.length)]!;
  }

  #otherScheme(port: number): string {
    const urls = [
      ...[
        'file:///etc/passwd',
        'gopher://127.0.0.1:6379/_INFO',
        `ftp://127.0.0.1:${port}/`,
        'data:text/html,x',
        'http:',
      ],
      ...[
        `ws://127.0.0.1:${port}/`,
        'javascript:1',
        'blob:http://127.0.0.1/x',
        `unix:/run/docker.sock`,
        'http://:80/',
        '',
      ],
      ...[
        `http://127.0.0.1:22/`,
        'http://127.0.0.1:6379/',
        'http://127.0.0.1:99999/',
        `jar:http://127.0.0.1:${port}!/`,
      ],
    ];
    return urls[this.#prng.below(urls.length)]!;
  }
}
