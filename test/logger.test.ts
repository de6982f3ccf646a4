import { describe, expect, it } from 'vitest';
import { createLogger, readable } from '../src/logger.ts';

describe('the log on a terminal', () => {
  it('says a request in one line', () => {
    const line = { requestId: 'r1', method: 'PUT', route: '/documents', status: 201, ms: 4.2, msg: 'request' };
    expect(readable(line)).toBe('PUT /documents 201, 4.2 ms');
    expect(readable({ ...line, key: 'alice' })).toBe('PUT /documents 201, 4.2 ms, key alice');
  });

  it('names the request where its client was told of it', () => {
    const line = { requestId: 'r1', method: 'GET', route: 'unknown', status: 404, ms: 1, code: 'unknown-route' };
    expect(readable(line)).toBe('GET unknown 404, unknown-route, 1 ms, request r1');
    expect(readable({ msg: 'a request failed', requestId: 'r1', code: 'internal' })).toBe(
      'a request failed, internal, request r1',
    );
  });

  it('leaves other lines as they are', () => {
    expect(readable({ msg: 'listening on http://127.0.0.1:8080' })).toBe('listening on http://127.0.0.1:8080');
  });

  it.each([true, false])('has the level that was asked for (terminal: %s)', async (isTerminal) => {
    expect((await createLogger('warn', isTerminal)).level).toBe('warn');
  });
});
