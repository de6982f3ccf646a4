import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import type { ApiKey, Scope } from '../http-options.ts';
import type { Strangers } from './strangers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null without a key (where none are configured, or the route asks for none). */
    apiKey: ApiKey | null;
  }
  interface FastifyContextConfig {
    /** What a key must allow for this route; a route without it is open to all. */
    scope?: Scope;
  }
}

const BEARER = /^Bearer +([\x21-\x7e]{1,1024})$/i;

/**
 * The keys by which callers are known, which may be replaced while the service runs.
 *
 * Secrets are compared by their digests, all of them each time: how long it takes says nothing about how close a guess
 * was, nor which key it met.
 */
export class KeyRing {
  #digests: readonly { readonly key: ApiKey; readonly digest: Buffer }[] = [];
  /** Whether the service was started without keys, and so asks for none. */
  readonly isOpen: boolean;

  constructor(keys: readonly ApiKey[]) {
    this.isOpen = keys.length === 0;
    this.replace(keys);
  }

  /** Requests that were let in before go on. */
  replace(keys: readonly ApiKey[]): void {
    this.#digests = keys.map((key) => ({ key, digest: digestOf(key.secret) }));
  }

  find(secret: string): ApiKey | null {
    const presented = digestOf(secret);
    let found: ApiKey | null = null;
    for (const { key, digest } of this.#digests) if (timingSafeEqual(digest, presented)) found = key;
    return found;
  }
}

/** Asks every route that names a scope for a key that has it. */
export function addAuthorization(app: FastifyInstance, keys: KeyRing, strangers: Strangers): void {
  app.decorateRequest('apiKey', null);
  if (keys.isOpen) return;
  app.addHook('onRequest', async (request, reply) => {
    const { scope } = request.routeOptions.config;
    if (scope === undefined) return;
    const secret = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const key = secret === undefined ? null : keys.find(secret);
    if (key === null) {
      await strangers.slow(request);
      reply.header('www-authenticate', 'Bearer realm="shingled"');
      const detail = secret === undefined ? 'Send Authorization: Bearer <key>.' : 'This key is not known.';
      throw new ShingledError('unauthorized', detail);
    }
    request.apiKey = key;
    requireScope(request, scope);
  });
}

export function hasScope(request: FastifyRequest, scope: Scope): boolean {
  return request.apiKey === null || request.apiKey.scopes.includes(scope);
}

/** @throws ShingledError `forbidden` */
export function requireScope(request: FastifyRequest, scope: Scope): void {
  if (hasScope(request, scope)) return;
  throw new ShingledError('forbidden', `This needs a key with the scope ${scope}.`);
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
