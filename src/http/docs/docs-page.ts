import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { type FastifyInstance, fastify } from 'fastify';

/** What the page is made of. Its library serves a folder; here are these files and no others. */
const FILES = [
  ...['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'],
  ...['swagger-initializer.js', 'favicon-32x32.png', 'favicon-16x16.png'],
];

const PATHS = ['/docs', '/docs/', ...FILES.map((file) => `/docs/static/${file}`)];

const HEADERS = ['content-type', 'content-security-policy'];

/** The page at /docs that shows the OpenAPI document and tries calls out. */
export function addDocsPage(app: FastifyInstance, openApi: () => Promise<Constant>): void {
  let made: Promise<ReadonlyMap<string, Constant>> | null = null;
  for (const path of PATHS) {
    serveConstant(app, path, async () => {
      made ??= makePage();
      return (await made).get(path)!;
    });
  }
  // where the page looks for the document
  serveConstant(app, '/docs/json', openApi);
}

/** Asks the library for all of the page once, out of everybody's reach. */
async function makePage(): Promise<ReadonlyMap<string, Constant>> {
  const asked = fastify();
  await asked.register(swagger);
  await asked.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'shingled' },
    uiConfig: { deepLinking: true, tryItOutEnabled: true },
    staticCSP: {
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data:",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    },
  });
  const page = new Map<string, Constant>();
  for (const path of PATHS) {
    const { statusCode, headers, rawPayload } = await asked.inject(path);
    if (statusCode !== 200) throw new Error(`the documentation page has no ${path}`);
    page.set(path, {
      headers: Object.fromEntries(HEADERS.map((name) => [name, String(headers[name])])),
      body: relative(path, rawPayload),
    });
  }
  await asked.close();
  return page;
}

/** The page names its parts by where they lie from it: a proxy may have put the service below a path of its own. */
function relative(path: string, body: Buffer): Buffer {
  // with a slash at its end it does so anyway
  return path === '/docs' ? Buffer.from(body.toString().replaceAll('"/docs/static/', '"./docs/static/')) : body;
}

/** An answer that is the same for everybody until the process ends. */
export interface Constant {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The body in gzip, for those who take it so; the headers then say that it varies. */
  readonly gzipped?: Buffer;
}

/**
 * Answers GET and HEAD at a path with bytes that are made once: a thousand answers that nobody reads hold one copy. A
 * client that has them already is told so (304).
 *
 * @param make called when the first answer is asked for
 */
export function serveConstant(app: FastifyInstance, url: string, make: () => Promise<Constant>): void {
  let made: Promise<Forms> | null = null;
  app.route({
    method: ['GET', 'HEAD'],
    url,
    schema: { hide: true },
    handler: async (request, reply) => {
      made ??= make().then(formsOf);
      const { plain, zipped } = await made;
      const { headers, body, etag } = TAKES_GZIP.test(request.headers['accept-encoding'] ?? '') ? zipped : plain;
      reply.headers({ 'cache-control': 'no-cache', ...headers, etag });
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (request.method === 'GET') return reply.send(body);
      return reply.header('content-length', body.length).send();
    },
  });
}

interface Form extends Constant {
  readonly etag: string;
}

/** An answer as it is, and as those get it who take gzip: the same where it has no such form. */
interface Forms {
  readonly plain: Form;
  readonly zipped: Form;
}

const TAKES_GZIP = /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

function formsOf(constant: Constant): Forms {
  const tagged = (form: Constant) => ({
    ...form,
    etag: `"${createHash('sha256').update(form.body).digest('base64url')}"`,
  });
  const plain = tagged(constant);
  const { headers, gzipped } = constant;
  if (gzipped === undefined) return { plain, zipped: plain };
  return { plain, zipped: tagged({ headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipped }) };
}

/** Whether a tag is among those of `If-None-Match`; compared weakly, as RFC 9110 asks for there. */
function isKnown(tags: string | undefined, etag: string): boolean {
  return tags?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) === true;
}
