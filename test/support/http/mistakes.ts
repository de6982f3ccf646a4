/* What callers send by mistake: each as curl would send it. */

export interface Mistake {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

const DOC = '/documents?url=https://a.example/x';
const FOX = 'The quick brown fox jumps over the lazy dog.';
const json = (method: 'POST' | 'PUT', path: string, body: string): Mistake => ({
  ...{ method, path, type: 'application/json', body },
});
const put = (query: string, body = FOX, type = 'text/plain'): Mistake => ({
  ...{ method: 'PUT', path: `/documents?${query}`, type, body },
});
const get = (path: string): Mistake => ({ method: 'GET', path });
const ask = (query: string): Mistake => get(`/similar?url=https://known.example/&${query}`);
const similar = (body: string) => json('POST', '/similar', body);
const asked = (option: string) => similar(`{"document":{"text":"${FOX}"},${option}}`);
const collapse = (body: string) => json('POST', '/collapse', body);
const compare = (body: string) => json('POST', '/compare', body);
const bulk = (body: string, type = 'application/x-ndjson'): Mistake => ({
  ...{ method: 'POST', path: '/documents', type, body },
});

export const MISTAKES: readonly Mistake[] = [
  // paths and methods
  get('/'),
  get('/search?q=fox'),
  get('/similar/'),
  json('POST', '/document', '{}'),
  { method: 'GET', path: '/collapse' },
  { method: 'DELETE', path: '/similar?url=https://a.example/' },
  { method: 'POST', path: '/stats', type: 'application/json', body: '{}' },
  get('/documents/%zz'),
  { method: 'POST', path: '/admin/backup' },
  { method: 'POST', path: '/compare' },
  { method: 'POST', path: '/collapse' },
  // query strings
  get('/similar'),
  get('/similar?url='),
  get('/similar?uri=https://a.example/'),
  ask('resemblance=50%'),
  ask('resemblance=50%25'),
  ask('resemblance=.5'),
  ask('resemblance=0,5'),
  ask('resemblance=1.5'),
  ask('resemblance=none'),
  ask('resemblance=off&queryInMatch=off&matchInQuery=off'),
  ask('limit=ten'),
  ask('limit=0'),
  ask('limit=5000'),
  ask('limit=10&limit=20'),
  ask('Limit=10'),
  ask('passages=1'),
  ask('sort=size'),
  ask('include=live,dead'),
  ask('include='),
  ask('excludeHosts=https://a.example/'),
  ask('hosts=*.a.example'),
  ask('deadlineMs=5s'),
  ask('deadlineMs=999999999'),
  get('/similar?url=https://known.example/&cursor=abc'),
  ask('fetch=false'),
  ask('fetch=true'),
  get('/similar?url=https://a.example/x?a=1&b=2'),
  get('/similar?url=caf\u00e9'),
  get('/similar?url=%ff'),
  // URLs
  get('/documents?url=a.example/x'),
  get('/documents?url=//a.example/x'),
  get('/documents?url=localhost:8080/x'),
  get('/documents?url=https://'),
  get('/documents?url=https://me:secret@a.example/'),
  get('/documents?url=javascript:alert(1)'),
  get('/documents?url=https://unknown.example/'),
  get('/similar?url=https://a.example:8443/x'),
  get('/similar?url=urn:isbn:1'),
  // writes
  { method: 'PUT', path: DOC },
  { method: 'PUT', path: '/documents', type: 'text/plain', body: FOX },
  put('url=https://a.example/x&status=301', ''),
  put('url=https://a.example/x&status=410'),
  put('url=https://a.example/x&meta=foo'),
  put('url=https://a.example/x&meta=[1]'),
  put('url=https://a.example/x&observedAt=2026-01-02T03:04:05+02:00'),
  put('url=https://a.example/x&observedAt=2026-01-02'),
  put('url=https://a.example/x&observedAt=yesterday'),
  put('url=https://a.example/x&observedAt=2999-01-01T00:00:00Z'),
  put('url=https://a.example/x&select=p:first', '<p>x', 'text/html'),
  put('url=https://a.example/x&b=2'),
  put('url=https://a.example/x', FOX, 'application/pdf'),
  put('url=https://a.example/x', FOX, 'application/x-www-form-urlencoded'),
  put('url=https://a.example/x', FOX, 'text'),
  put('url=https://a.example/x', FOX, 'text/plain; charset=utf-9'),
  put('url=https://a.example/x', '!?', 'text/plain'),
  put('url=https://a.example/x&similar=1001'),
  json('PUT', DOC, '{"text":"a","html":"b"}'),
  json('PUT', DOC, '{"url":"https://a.example/x","text":"a"}'),
  json('PUT', DOC, '{"body":"a"}'),
  json('PUT', DOC, '{"text":"a","meta":"spring"}'),
  json('PUT', `${DOC}&similar=1`, '{"text":"a","similar":2}'),
  // JSON
  similar(''),
  similar('{'),
  similar("{'document':1}"),
  similar('{"document":{"text":"a"},}'),
  similar('{"document":{"text":"a\nb"}}'),
  similar('document'),
  similar('[]'),
  similar('"https://a.example/"'),
  similar('{"text":"a"}'),
  similar('{"url":"https://a.example/"}'),
  similar('{"document":"https://a.example/"}'),
  similar('{"document":{}}'),
  similar('{"document":{"text":"a","html":"b"}}'),
  similar('{"document":{"txt":"a"}}'),
  asked('"thresholds":0.5'),
  asked('"thresholds":{"resemblance":"0.5"}'),
  asked('"thresholds":{"resemblance":50}'),
  asked('"resemblance":0.5'),
  asked('"limit":"10"'),
  asked('"limit":10.5'),
  asked('"passages":"yes"'),
  asked('"include":"live"'),
  asked('"exclude":["a.example"]'),
  asked('"excludeHosts":["a.example"]'),
  { method: 'POST', path: '/similar?limit=5', type: 'application/json', body: '{"document":{"text":"a"}}' },
  { method: 'POST', path: '/similar' },
  { method: 'POST', path: '/similar', type: 'application/x-www-form-urlencoded', body: 'text=fox' },
  compare('{"a":{"text":"x"}}'),
  compare('{"a":"x","b":"y"}'),
  compare('{"a":{"text":"x"},"b":{"text":"y"},"thresholds":{"queryInMatch":0.5}}'),
  { method: 'POST', path: '/compare', type: 'text/plain', body: FOX },
  collapse('[]'),
  collapse('{"results":{}}'),
  collapse('{"results":["https://a.example/"]}'),
  collapse('{"results":[{}]}'),
  collapse('{"results":[{"title":"x"}]}'),
  collapse('{"results":[],"urls":"strict"}'),
  collapse('{"results":[],"prefer":"newest"}'),
  collapse('{"results":[],"perHost":0}'),
  collapse('{"results":[],"fetch":"always"}'),
  collapse(`{"results":[${Array.from({ length: 1001 }, () => '{"text":"a"}').join()}]}`),
  // lines
  bulk(''),
  bulk('{"op":"put","url":"https://a.example/","text":"a"}', 'application/json'),
  bulk('[{"op":"put","url":"https://a.example/","text":"a"}]'),
  bulk('{"op":"add","url":"https://a.example/","text":"a"}'),
  bulk('{"url":"https://a.example/","text":"a"}'),
  bulk('{"op":"put","url":"https://a.example/"}'),
  bulk('{"op":"delete","url":"https://a.example/","text":"a"}'),
  bulk('{"op":"gone","url":"https://a.example/","status":"404"}'),
  bulk('{"op":"put","url":"https://a.example/",\n"text":"a"}'),
];
