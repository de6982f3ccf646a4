import { describe, expect, it } from 'vitest';
import { FEATURES_TYPE } from '../../../src/features/feature-list.ts';
import { readBulkLine } from '../../../src/http/routes/bulk-line.ts';
import { createRecordMap } from '../../../src/ingest/fields/record-map.ts';
import { readPrefix, underPrefix } from '../../../src/ingest/fields/url-prefix.ts';
import { recordMap } from '../../support/ingest/record-map.ts';

const PLACE = { file: 'folder/pages 1.ndjson', record: 12 };
const map = (record: unknown, ...options: Parameters<typeof recordMap>) => recordMap(...options).map(record, PLACE);
const put = (record: unknown, ...options: Parameters<typeof recordMap>) => {
  const mapped = map(record, ...options);
  if (!('operation' in mapped) || mapped.operation.op !== 'put') return mapped;
  const { url, body, observedAt, meta } = mapped.operation;
  return { url, text: Buffer.from(body!.bytes).toString(), type: body!.contentType?.slice(5, 9), observedAt, meta };
};

describe('a record', () => {
  it.each([
    [{ url: 'https://a.example/', text: 'a', timestamp: '1970-01-01T00:00:01Z' }, 'https://a.example/', 'plai', 1000],
    [{ uri: 'https://a.example/', raw_content: 'a' }, 'https://a.example/', 'plai', null],
    [{ id: '7', url: 'https://a.example/', html: 'a', text: '' }, 'https://a.example/', 'html', null],
    [{ id: 'urn:x:7', content: 'a', url: null }, 'urn:x:7', 'plai', null],
    [
      { warc_headers: { 'warc-target-uri': 'https://a.example/', 'warc-date': '1970-01-01T00:00:01Z' }, content: 'a' },
      'https://a.example/',
      'plai',
      1000,
    ],
    [{ 'meta.url': 'https://a.example/', text: 'a' }, 'https://a.example/', 'plai', null],
  ])('is known by the names of its fields: %j', (record, url, type, observedAt) => {
    expect(put(record)).toMatchObject({ url, text: 'a', type, observedAt });
  });

  it('is a page where a field that nobody named begins like one', () => {
    expect(put({ url: 'u:1', body: '\n<!DOCTYPE html><p>' })).toMatchObject({ type: 'html' });
    expect(put({ url: 'u:1', body: '<!DOCTYPE html><p>' }, { text: 'body' })).toMatchObject({ type: 'plai' });
    expect(put({ url: 'u:1', text: ['one', 'two'] })).toMatchObject({ text: 'one\n\ntwo' });
  });

  it('is read by the fields that were told, and no others', () => {
    const record = { a: { b: 'https://a.example/' }, t: 'a', text: 'no', when: 1, x: [1], y: null, meta: { no: 1 } };
    expect(put(record, { url: 'a.b', text: 't', date: 'when', meta: ['x', 'y'] })).toEqual({
      ...{ url: 'https://a.example/', text: 'a', type: 'plai', observedAt: 1000, meta: { x: [1] } },
    });
    expect(put(record, { url: 'a.b', html: 'none' })).toMatchObject({
      refused: 'no-text',
      detail: 'none is missing or empty. The record has a, t, text, when, x, y, meta.',
    });
    expect(put(record, { url: 'a.c' })).toMatchObject({
      refused: 'no-url',
      detail: expect.stringContaining('a.c, named by --url-field, is missing'),
    });
    expect(() => recordMap({ url: 'a..b' })).toThrow('no name of a field');
  });

  it('is a set of features where a field of them is told: a list, or a list as JSON', () => {
    const features = { features: 'tags' };
    for (const tags of [['a', 'b,c'], '["a","b,c"]', ' [ "a", "b,c" ]']) {
      expect(map({ url: 'u:1', tags, text: 'no' }, features)).toMatchObject({
        operation: { body: { bytes: new TextEncoder().encode('["a","b,c"]'), contentType: FEATURES_TYPE } },
      });
    }
    for (const [tags, reason] of [
      ['a b', 'bad-field'],
      ['{}', 'bad-field'],
      ['[["a"]]', 'bad-field'],
      ['["\ud800"]', 'bad-field'],
      [[1], 'bad-field'],
      [7, 'bad-field'],
      [['\ud800'], 'bad-field'],
      [null, 'no-text'],
      [undefined, 'no-text'],
    ] as const) {
      expect(map({ url: 'u:1', tags, text: 'no' }, features)).toMatchObject({ refused: reason, url: 'u:1' });
    }
    // nobody told
    expect(put({ url: 'u:1', features: ['a'], text: 'yes' })).toMatchObject({ text: 'yes', type: 'plai' });
    expect(map({ url: 'u:1', features: ['a'] })).toMatchObject({ refused: 'no-text' });
    // the first that a record has, in this order
    expect(put({ url: 'u:1', tags: ['a'], t: 'yes' }, { ...features, text: 't' })).toMatchObject({ text: 'yes' });
    expect(map({ url: 'u:1', tags: ['a'] }, { ...features, text: 't' })).toHaveProperty('operation');
    // a line as POST /documents takes it, and what is told is no meta
    expect(map({ op: 'put', url: 'u:1', features: ['a'] })).toMatchObject({
      operation: { body: { contentType: FEATURES_TYPE } },
    });
    expect(put({ url: 'u:1', tags: ['a'], n: 1 }, { ...features, meta: ['*'] })).toMatchObject({ meta: { n: 1 } });
    expect(recordMap(features).wanted(['url', 'tags', 'other'])).toEqual(['url', 'tags']);
  });

  it('keeps an object meta, what is told, or all the rest', () => {
    const record = {
      url: 'u:1',
      text: 'a',
      html: '<p>',
      date: '2026',
      meta: { a: 1 },
      big: 2n ** 60n,
      at: new Date(0),
      raw: new Uint8Array([1]),
    };
    expect(put({ ...record, date: 1 })).toMatchObject({ meta: { a: 1 } });
    expect(put({ ...record, date: 1 }, { meta: ['*'] })).toMatchObject({
      meta: { meta: { a: 1 }, big: '1152921504606846976', at: '1970-01-01T00:00:00.000Z', raw: 'AQ==' },
    });
    expect(Object.keys((put({ ...record, date: 1 }, { meta: ['*'] }) as { meta: object }).meta)).not.toContain('html');
  });

  it('has its id or its place behind the prefix where it has no URL', () => {
    const prefix = 'https://a.example/x/';
    expect(put({ id: 'a b/7', text: 'a' }, {}, prefix)).toMatchObject({ url: `${prefix}a%20b/7` });
    expect(put({ id: 7, text: 'a' }, {}, prefix)).toMatchObject({ url: `${prefix}7` });
    expect(put({ text: 'a' }, {}, prefix)).toMatchObject({ url: `${prefix}pages%201.ndjson/12` });
    expect(map({ id: '7', text: 'a' })).toMatchObject({ refused: 'no-url', detail: expect.stringContaining('prefix') });
    expect(underPrefix('urn:x:', '/a')).toBe('urn:x:/a');
    expect(() => readPrefix('/x')).toThrow('begins with a scheme');
  });

  it.each([
    ['https://a.example/docs', 'https://a.example/docs/x'],
    ['https://a.example', 'https://a.example/x'],
    ['https://a.example:8080', 'https://a.example:8080/x'],
    ['https://ä.example/ä', 'https://ä.example/ä/x'],
    ['https://a.example/docs/', 'https://a.example/docs/x'],
    ['https://a.example/?id=', 'https://a.example/?id=x'],
    ['https://a.example/#id', 'https://a.example/#idx'],
    ['https://a.example/page-', 'https://a.example/page-x'],
    ['https://a.example/v1.', 'https://a.example/v1.x'],
    ['urn:x:', 'urn:x:x'],
    ['urn:isbn', 'urn:isbnx'],
  ])('the prefix %s names %s', (prefix, url) => {
    expect(underPrefix(readPrefix(prefix), 'x')).toBe(url);
  });

  it('is refused with the fields that it has, so that one can be named', () => {
    expect(map({ id: '', title: 'x', 'bo dy': 'y' })).toMatchObject({
      detail:
        'No field is known to hold its URL. The record has id, title, bo dy: name one with --url-field, or give --url-prefix.',
    });
    expect(map({ url: 'u:1', title: 'x' })).toMatchObject({
      detail: expect.stringContaining('The record has url, title: name one with --text-field or --html-field.'),
    });
    expect(map({})).toMatchObject({ detail: expect.stringContaining('The record has no fields') });
    const odd = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`\u001b[2J\n\u202e${n}${'x'.repeat(1000)}`, 1]),
    );
    const { detail } = map(odd) as { detail: string };
    expect(detail).toMatch(/^[ -~…]{100,900}$/);
    expect(detail).toContain('and 38 more');
  });

  it.each([
    [{ url: 'u:1', text: 7 }, 'bad-field'],
    [{ url: 'u:1' }, 'no-text'],
    [{ text: 'a' }, 'no-url'],
    [7, 'malformed'],
  ])('is refused with its reason: %j', (record, reason) => {
    expect(map(record)).toMatchObject({ refused: reason });
  });

  it('has U+FFFD for half a surrogate pair', () => {
    expect(put({ url: 'u:1', text: 'a\ud83d b' })).toMatchObject({ text: 'a\ufffd b' });
    expect(put({ url: 'u:1', text: ['a', '\ude00'] })).toMatchObject({ text: 'a\n\n\ufffd' });
  });

  it('is not refused for a date that nobody named, and takes the next field that holds one', () => {
    for (const date of ['soon', '1850-01-01', {}, '9999-12-31', '2009-65-15']) {
      expect(put({ url: 'u:1', text: 'a', date })).toMatchObject({ text: 'a', observedAt: null });
      expect(put({ url: 'u:1', text: 'a', date, updated: '1970-01-02' })).toMatchObject({ observedAt: 86_400_000 });
      expect(put({ url: 'u:1', text: 'a', date }, { meta: ['*'] })).toMatchObject({ meta: { date } });
    }
    const told = { url: 'u:1', text: 'a', seen: 'soon' };
    expect(map(told, { date: 'seen' })).toMatchObject({
      refused: 'bad-field',
      detail: expect.stringContaining('seen'),
    });
    const spare = { urlPrefix: null, bulkLine: readBulkLine, areDatesSpare: true };
    const inDedupe = createRecordMap({ fields: { date: 'seen' }, ...spare });
    expect(inDedupe.map(told, PLACE)).toMatchObject({ operation: { observedAt: null } });
    const line = { op: 'put', url: 'u:1', text: 'a', observedAt: 'soon' };
    expect(map(line)).toMatchObject({ refused: 'bad-field' });
    expect(createRecordMap({ fields: {}, ...spare }).map(line, PLACE)).toMatchObject({
      operation: { observedAt: null },
    });
    expect(map({ ...line, observedAt: '2026-01-01' }, { date: false })).toMatchObject({
      operation: { observedAt: null },
    });
  });

  it('has no date where none is wanted', () => {
    expect(put({ url: 'u:1', text: 'a', date: '1066-10-14' }, { date: false })).toMatchObject({ observedAt: null });
  });

  it('is a line of ours where it has an op, unless fields are told', () => {
    expect(map({ op: 'gone', url: 'u:1', status: 404 })).toEqual({
      operation: { op: 'gone', url: 'u:1', httpStatus: 404, observedAt: null },
    });
    expect(map({ op: 'put', url: 'u:1', text: 'a', extra: 1 })).toMatchObject({ refused: 'bad-field', url: 'u:1' });
    expect(map({ op: 'put', url: 'u:1' })).toMatchObject({ refused: 'no-text' });
    expect(map({ op: 'put', url: 7, text: 'a' })).toMatchObject({ refused: 'no-url', url: null });
    expect(put({ op: 'put', url: 'u:1', t: 'a', extra: 1 }, { text: 't' })).toMatchObject({ text: 'a' });
  });

  it('has no faults of ours hidden', () => {
    const broken = createRecordMap({
      fields: {},
      urlPrefix: null,
      bulkLine: () => {
        throw new TypeError('ours');
      },
    });
    expect(() => broken.map({ op: 'put', url: 'u:1' }, PLACE)).toThrow('ours');
    expect(readBulkLine({ op: 'delete', url: 'u:1' })).toEqual({ op: 'delete', url: 'u:1' });
  });
});
