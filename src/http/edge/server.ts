import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { HttpLimits } from '../limits.ts';
import { refuseExpectation } from './client-errors.ts';
import type { Connections } from './connections.ts';
import type { Lanes } from './lanes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Listens at one more address, on the port where the app listens already; closed with it. */
    listenBeside(host: string): Promise<void>;
  }
}

/** Node's server, held to every limit of heads, times and connections: whatever is not about one request. */
export function createHttpServer(
  listener: RequestListener,
  limits: HttpLimits,
  connections: Connections,
  lanes: Lanes,
): Server {
  const server = createServer(
    {
      requestTimeout: limits.requestTimeoutMs,
      headersTimeout: limits.headTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      maxHeaderSize: limits.headBytesMax,
      // asked for by the gate, whose answer is a problem; Node's has no body
      requireHostHeader: false,
    },
    (request, response) => lanes.take({ request, response, listener }),
  );
  server.setTimeout(limits.idleTimeoutMs);
  server.on('connection', (socket: Socket) => connections.admit(socket));
  server.on('checkExpectation', (request, response) => lanes.take({ request, response, listener: refuseExpectation }));
  return server;
}

/** `app.listenBeside`: fastify itself gives further addresses a server without any of the above. */
export function addListenBeside(app: FastifyInstance): void {
  const doors = new Set<ReturnType<typeof createTcpServer>>();
  app.decorate('listenBeside', async (host: string) => {
    const address = app.server.address();
    if (address === null || typeof address === 'string') throw new Error('the app does not listen on a port');
    const door = createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      app.server.emit('connection', socket),
    );
    door.listen({ host, port: address.port });
    await once(door, 'listening');
    doors.add(door);
  });
  let closed: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    closed = Promise.all([...doors].map((door) => once(door.close(), 'close')));
  });
  // a door is closed when its last connection is
  app.addHook('onClose', () => closed as Promise<void>);
}
