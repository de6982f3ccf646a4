import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** An answer that is the same for everybody until the process ends. */
export interface Constant {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Answers GET and HEAD at a path with bytes that are made once: a thousand answers that nobody reads hold one copy. A
 * client that has them already is told so (304).
 *
 * @param make called when the first answer is asked for
 */
export function serveConstant(app: FastifyInstance, url: string, make: () => Promise<Constant>): void {
  let made: Promise<Constant & { readonly etag: string }> | null = null;
  const tagged = async () => {
    const constant = await make();
    return { ...constant, etag: `"${createHash('sha256').update(constant.body).digest('base64url')}"` };
  };
  app.route({
    method: ['GET', 'HEAD'],
    url,
    schema: { hide: true },
    handler: async (request, reply) => {
      made ??= tagged();
      const { headers, body, etag } = await made;
      reply.headers({ ...headers, etag, 'cache-control': 'no-cache' });
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (request.method === 'GET') return reply.send(body);
      return reply.header('content-length', body.length).send();
    },
  });
}

/** Whether a tag is among those of `If-None-Match`; compared weakly, as RFC 9110 asks for there. */
function isKnown(tags: string | undefined, etag: string): boolean {
  return tags?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) === true;
}
