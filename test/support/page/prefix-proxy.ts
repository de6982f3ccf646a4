import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that has put a service below a path of its own, which it takes off; as those in front of services do. */
export async function openPrefixProxy(target: string, prefix: string) {
  const { port: targetPort } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (!path.startsWith(prefix)) {
      outgoing.writeHead(404).end();
      return;
    }
    const headers = { ...incoming.headers, host: `127.0.0.1:${targetPort}` };
    const passed = request(
      { port: targetPort, method: incoming.method, path: `/${path.slice(prefix.length)}`, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
