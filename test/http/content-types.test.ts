import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture } from '../support/http/http-fixture.ts';

const TEXT = 'It was the best of times, it was the worst of times, it was the age of wisdom';

describe('a charset', () => {
  let fixture: HttpFixture;
  beforeAll(async () => {
    fixture = await createHttpFixture();
  });
  afterAll(() => fixture.close());

  const put = (type: string, payload: string | Buffer) =>
    fixture.app.inject({
      method: 'PUT',
      url: '/documents?url=https://a.example/',
      headers: { 'content-type': type },
      payload,
    });

  it.each([
    'text/plain; charset=klingon',
    'text/html;charset="utf-9"',
    'text/plain; format=flowed; charset=x-none',
    'text/plain; charset=utf-7',
    'application/json; charset=klingon',
    'text/html; CHARSET=klingon',
  ])('that nobody knows is refused: %s', async (type) => {
    const body = type.includes('json') ? JSON.stringify({ url: 'https://a.example/', text: TEXT }) : TEXT;
    const answer = await put(type, body);
    expect(answer.json()).toMatchObject({ status: 422, code: 'unsupported-charset', field: 'content-type' });
  });

  it.each([
    'text/plain; charset=latin1',
    'text/html; charset=UTF-8',
    'text/plain;charset="windows-1251"',
    'text/plain; charset=',
    'text/plain',
    'text/plain; x=charset',
  ])('that is known, or none, is taken: %s', async (type) => {
    expect((await put(type, TEXT)).statusCode).toBeLessThan(300);
  });
});

describe('JSON that is called text', () => {
  it.each(['text/json', 'text/json; charset=utf-8', 'TEXT/JSON', 'text/x-json', 'text/ndjson', 'text/x-jsonl'])(
    'is not taken for words: %s',
    async (type) => {
      const fixture = await createHttpFixture();
      const requests = [
        ['PUT', '/documents?url=https://a.example/'],
        ['POST', '/similar'],
        ['POST', '/compare'],
        ['POST', '/documents'],
      ] as const;
      for (const [method, url] of requests) {
        const payload = JSON.stringify({ document: { text: TEXT } });
        const answer = await fixture.app.inject({ method, url, headers: { 'content-type': type }, payload });
        expect(answer.json()).toMatchObject({ status: 415, code: 'unsupported-media-type', field: 'content-type' });
        expect(answer.json().detail).toContain(type.split(';')[0]!.toLowerCase());
        expect(answer.json().detail).toContain(url === '/documents' ? 'ndjson' : 'application/json');
      }
      await fixture.close();
    },
  );
});
