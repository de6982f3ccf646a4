import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRemoteService } from '../../src/client/remote-service.ts';
import { ServiceClient } from '../../src/client/service-client.ts';

type Answer = (response: ServerResponse, body: string) => void;

/** A server that gives these answers, one a request; then the last one always. */
async function answering(...answers: Answer[]) {
  const bodies: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      bodies.push(body);
      answers[Math.min(bodies.length, answers.length) - 1]!(response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  return { bodies, server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const busy: Answer = (response) => {
  const problem = { code: 'overloaded', detail: 'Too many.' };
  response.writeHead(503, { 'retry-after': '0' }).end(JSON.stringify(problem));
};
const breaksOff: Answer = (response) => {
  response.writeHead(200).write('{"line":1,');
  setImmediate(() => response.destroy());
};
const fine: Answer = (response) => response.end('{"ok":true}');
const asked = { method: 'GET', path: '/stats' } as const;

const clientOf = (server: string, attemptsMax = 5) =>
  new ServiceClient({ server, apiKey: null, pauseMs: 1, attemptsMax });

describe('a question to a service', () => {
  it('is asked again while the service is busy, and where the connection breaks', async () => {
    const { server, bodies } = await answering(busy, breaksOff, busy, fine);
    expect(await clientOf(server).json(asked)).toEqual({ ok: true });
    expect(bodies).toHaveLength(4);
  });

  it('is given up at last, with what the service said', async () => {
    const { server, bodies } = await answering(busy);
    await expect(clientOf(server, 3).json(asked)).rejects.toMatchObject({ code: 'overloaded', message: 'Too many.' });
    expect(bodies).toHaveLength(3);
  });

  it('is not asked again where it is refused, and keeps what is said of why', async () => {
    const problem = { code: 'invalid-url', detail: 'Not absolute.', field: 'url', limit: { name: 'x', value: 2 } };
    const { server, bodies } = await answering((response) => response.writeHead(400).end(JSON.stringify(problem)));
    await expect(clientOf(server).json(asked)).rejects.toMatchObject({
      ...{ code: 'invalid-url', message: 'Not absolute.', field: 'url', limit: { name: 'x', value: 2 } },
    });
    expect(bodies).toHaveLength(1);
  });

  it.each([
    [502, 'service-unreachable'],
    [404, 'service-unreachable'],
  ])(
    'says of an answer of something else, status %i, what that is; once the service was there, it waits for it',
    async (status, code) => {
      const other: Answer = (response) => response.writeHead(status).end('<html>A proxy</html>');
      const elsewhere = await answering(other, fine);
      await expect(clientOf(elsewhere.server).json(asked)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(`${status}`),
      });
      expect(elsewhere.bodies).toHaveLength(1);
      const { server } = await answering(fine, other, fine);
      const client = clientOf(server);
      for (let times = 0; times < 2; times++) expect(await client.json(asked)).toEqual({ ok: true });
    },
  );

  it('is not asked again at an address that has other routes', async () => {
    const problem = { code: 'unknown-route', detail: 'There is nothing at this path.' };
    const { server, bodies } = await answering((response) => response.writeHead(404).end(JSON.stringify(problem)));
    await expect(clientOf(server).json(asked)).rejects.toMatchObject({
      code: 'service-unreachable',
      message: `There is no service of this version at ${server}: --server takes its address, without a path of the API.`,
    });
    expect(bodies).toHaveLength(1);
  });
});

describe('lines to a service', () => {
  const line = { op: 'delete', url: 'https://a.example/' } as const;
  async function* lines() {
    yield { line: 7, operation: line };
    yield { line: 8, operation: line };
  }
  const ok = { status: 200, url: line.url, result: 'deleted' };
  const answered = (durable: boolean): Answer => {
    return (response) => {
      const told = [1, 2].map((number) => JSON.stringify({ line: number, ...ok }));
      response.end(`${[...told, JSON.stringify({ summary: { complete: true, durable } })].join('\n')}\n`);
    };
  };

  it.each([
    ['it broke off', breaksOff],
    ['its summary is missing', ((response) => response.end('{"line":1,"status":200}\n')) as Answer],
    ['the service lost some of them', answered(false)],
    [
      'a queue was full',
      ((response) =>
        response.end(
          `{"line":1,"status":429,"code":"write-queue-full","detail":"x"}\n{"summary":{"complete":true,"durable":true}}\n`,
        )) as Answer,
    ],
  ])('go again, all of a request, where %s', async (_why, first) => {
    const { server, bodies } = await answering(first, answered(true));
    const index = createRemoteService({ server, apiKey: null, pauseMs: 1 });
    const answers = [];
    for await (const answer of index.bulk(lines())) answers.push(answer);
    expect(answers).toEqual([
      { line: 7, ...ok },
      { line: 8, ...ok },
    ]);
    expect(bodies[1]).toBe(bodies[0]);
    expect(bodies[0]).toBe(`${JSON.stringify(line)}\n${JSON.stringify(line)}\n`);
  });

  it('leave while others are still to come: nobody waits for ten thousand', async () => {
    const { server, bodies } = await answering((response, body) => {
      const count = body.trim().split('\n').length;
      const told = Array.from({ length: count }, (_, at) => `${JSON.stringify({ line: at + 1, ...ok })}\n`);
      response.end(`${told.join('')}{"summary":{"complete":true,"durable":true}}\n`);
    });
    const index = createRemoteService({ server, apiKey: null });
    let release = () => {};
    async function* slow() {
      yield { line: 1, operation: line };
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield { line: 2, operation: line };
    }
    const seen: number[] = [];
    for await (const answer of index.bulk(slow())) {
      seen.push(answer.line);
      release();
    }
    expect(seen).toEqual([1, 2]);
    expect(bodies).toHaveLength(2);
  });
});

describe('an export from a service', () => {
  it('goes on behind its last whole line where it broke off', async () => {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url!);
      if (paths.length === 1) {
        response.write('{"url":"https://a.example/1"}\n{"url":"https://a.exa');
        setTimeout(() => response.destroy(), 50);
      } else response.end('{"url":"https://a.example/2"}\n{"summary":{"complete":true}}\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const index = createRemoteService({
      ...{ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: null, pauseMs: 1 },
    });
    const lines: string[] = [];
    for await (const line of index.exportLines({})) lines.push(line);
    expect(lines).toEqual(['{"url":"https://a.example/1"}', '{"url":"https://a.example/2"}']);
    expect(paths[1]).toContain(`after=${encodeURIComponent('https://a.example/1')}`);
  });
});
