import helmet from '@fastify/helmet';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';

type ProtectingHeaders = Parameters<FastifyReply['headers']>[0];

/** Headers of every answer that are not helmet's. */
const OWN = new Set(['connection', 'content-length', 'content-type', 'date']);

/**
 * Tells browsers to run, frame and keep nothing of an answer. The headers are the same for all of them, and helmet works
 * them out anew for each, which costs more than sending them: so it is asked once.
 */
export function addProtectingHeaders(app: FastifyInstance): void {
  let headers: ProtectingHeaders = {};
  app.addHook('onReady', async () => {
    headers = await protectingHeaders();
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

async function protectingHeaders(): Promise<ProtectingHeaders> {
  const asked = fastify();
  asked.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // whoever ends TLS in front of us knows whether it always will
    strictTransportSecurity: false,
  });
  asked.get('/', async () => '');
  const { headers } = await asked.inject('/');
  await asked.close();
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name)));
}
