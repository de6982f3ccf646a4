import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { type FastifyInstance, fastify } from 'fastify';
import { type Constant, serveConstant } from './constant.ts';

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
  // relative: a proxy may have put the service below a path of its own
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('docs', 302));
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
      body: rawPayload,
    });
  }
  await asked.close();
  return page;
}
