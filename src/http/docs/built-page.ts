import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { type Constant, serveConstant } from './docs-page.ts';

/* The page at `/` to look with, from the folder that tools/build-page.ts fills. */

const START = 'index.html';
const ASSETS = 'assets';

/**
 * Nothing but this service's own script and style, no inline ones, no frame, no form that is sent. And no script may make
 * markup of a text, whatever is in it.
 */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A name with a hash in it never means anything else. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Serves the page, or leads to `/docs` where it is not built.
 *
 * @param folder read once, here
 */
export function addBuiltPage(app: FastifyInstance, folder: string | null): void {
  if (folder === null || !existsSync(join(folder, START))) {
    // relative: a proxy may have put the service below a path of its own
    app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('docs', 302));
    return;
  }
  const start = pageFile(join(folder, START), { 'content-security-policy': POLICY });
  serveConstant(app, '/', async () => start);
  for (const name of readdirSync(join(folder, ASSETS))) {
    const asset = pageFile(join(folder, ASSETS, name), { 'cache-control': FOR_EVER });
    serveConstant(app, `/${ASSETS}/${name}`, async () => asset);
  }
}

function pageFile(path: string, headers: Readonly<Record<string, string>>): Constant {
  const type = TYPES[extname(path)];
  if (type === undefined) throw new Error(`the page has a file of an unknown type: ${path}`);
  const body = readFileSync(path);
  return { headers: { ...headers, 'content-type': type, vary: 'accept-encoding' }, body, gzipped: gzipSync(body) };
}
