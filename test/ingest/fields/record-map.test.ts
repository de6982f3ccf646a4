import { describe, expect, it } from 'vitest';
import { FEATURES_TYPE } from '../../../src/features/feature-list.ts';
import { readBulkLine } from '../../../src/http/routes/bulk-line.ts';
import { createRecordMap } from '../../../src/ingest/fields/record-map.ts';
import { checkPrefix, underPrefix } from '../../../src/ingest/fields/url-prefix.ts';
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
      detail: 'none is missing or empty.',
    });
    expect(put(record, { url: 'a.c' })).toMatchObject({ refused: 'no-url', detail: 'There is no a.c.' });
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
    expect(() => checkPrefix('/x')).toThrow('begins with a scheme');
    checkPrefix('urn:x:');
  });

  it.each([
    [{ url: 'u:1', text: 7 }, 'bad-field'],
    [{ url: 'u:1', text: 'a', date: 'soon' }, 'bad-field'],
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
