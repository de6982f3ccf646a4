import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS } from '../../../service/limits.ts';
import * as common from '../common.schema.ts';
import { answer, Count, closed, Flag, orNull, Text } from '../common.schema.ts';
import { HttpStatus, KnownState } from '../matches.schema.ts';
import { ChangedVersion } from './versions.schema.ts';

/* What the calls that list, count, export and forget documents by a selection take and answer. */

const SELECTION = {
  host: Type.Optional(Text('Only documents of this host.', 'a.example')),
  subdomains: Type.Optional(Flag('With `host`: those of hosts below it, too.', true)),
  prefix: Type.Optional(
    Type.String({
      ...common.SOURCE_URL,
      minLength: 1,
      description:
        'Only documents whose normalised URL begins with this, which is normalised too; of names a scheme alone will do (`urn:`).',
      examples: ['https://a.example/docs/'],
    }),
  ),
  observedFrom: Type.Optional(common.Time('Only documents whose `observedAt` is this or later.')),
  observedTo: Type.Optional(common.Time('Only documents whose `observedAt` is earlier than this.')),
  meta: Type.Optional(
    Text('Only documents whose `meta` has all of these keys with these values; as JSON text.', '{"crawl":"spring"}'),
  ),
  state: Type.Optional(
    Type.Enum(['live', 'gone'], {
      description: 'Only documents in this state; `gone`: 404 or 410.',
      examples: ['gone'],
    }),
  ),
};

const page = (what: string) => ({
  limit: Type.Optional(common.PageLimit(`${what}, 100 where not given,`, 100)),
  cursor: Type.Optional(common.Cursor),
});

export const ListQuery = closed({ ...SELECTION, ...page('Documents') });
export const HostsQuery = closed({ ...SELECTION, ...page('Hosts') });
export const ExportQuery = closed({
  ...SELECTION,
  after: Type.Optional(
    common.Url(
      'Only documents that come after this URL: an export that was broken off goes on after its last whole line.',
    ),
  ),
});
export const ForgetQuery = closed({
  ...SELECTION,
  dryRun: Type.Optional(Flag('Only count the documents, and give the `confirm` that deletes them.', true)),
  confirm: Type.Optional(Text('`confirm` of the answer before, with the same selection.', '12.2jmj7l5rSw0yVb_vlWAYkA')),
});

export type SelectionValues = Omit<Static<typeof ListQuery>, 'limit' | 'cursor'>;
export type ListQueryValues = Static<typeof ListQuery>;
export type ExportQueryValues = Static<typeof ExportQuery>;
export type ForgetQueryValues = Static<typeof ForgetQuery>;

const document = {
  url: common.Url('The normalised URL.'),
  spelling: Text('The URL as it was first given.', 'HTTPS://A.example/x'),
  state: KnownState,
  httpStatus: HttpStatus,
  finalUrl: orNull(Type.String(), { description: 'Where redirects ended.', examples: [null] }),
  title: orNull(Type.String(), { description: 'Its title.', examples: ['A page'] }),
  language: orNull(Type.String(), { description: 'Its language as declared.', examples: ['en'] }),
  meta: orNull(common.MetaObject),
  firstSeen: common.Time('First observation.'),
  lastSeen: common.Time('Latest observation.'),
  observedAt: common.Time('Observation of what is held now.'),
  contentId: Text(
    'Keyed digest of the words: equal for documents of this index with the same words.',
    '0f343b0931126a20f133d67c2b018a3b',
  ),
};

const ListedDocument = closed(document, { title: 'ListedDocument', description: 'A document of a list.' });

const nextPage = orNull(common.Cursor, {
  description:
    'Where the next page begins; null where this is the last. A page may be short, or empty, and not the last: so it is where few documents pass the filters.',
});

export const ListAnswer = answer(
  {
    documents: Type.Array(ListedDocument, { description: 'By reversed host, then by URL; names come first.' }),
    unreadable: Type.Array(Type.String(), {
      description: 'URLs that are there, of which what is known cannot be read.',
    }),
    cursor: nextPage,
  },
  { title: 'ListAnswer' },
  { documents: [common.exampleOf(ListedDocument)], cursor: null },
);

const Template = closed(
  {
    pages: Count('Of how many of its pages it was told: 64 at the most, and copies count once.', 12),
    shingles: Count('How many shingles it has, estimated.', 240),
  },
  { title: 'HostTemplate', description: 'What the pages of a host have in common, such as navigation and footers.' },
);

const HostCount = closed(
  {
    host: orNull(Type.String(), { description: 'The host; null: names, which have none.', examples: ['a.example'] }),
    documents: Count('Its documents.', 12),
    template: Type.Optional(
      orNull(Template, {
        description: 'Present if `host` is given without `subdomains`; null if fewer than three of its pages differ.',
      }),
    ),
  },
  { title: 'HostCount', description: 'How many documents a host has.' },
);

export const HostsAnswer = answer(
  {
    hosts: Type.Array(HostCount, { description: 'By their labels from the last to the first; names come first.' }),
    unreadableCount: Count('Documents in no count, since whether they pass the filters cannot be read.', 0),
    cursor: nextPage,
  },
  { title: 'HostsAnswer' },
  { hosts: [common.exampleOf(HostCount)], cursor: null },
);

export const ForgetAnswer = answer(
  {
    matched: Count('Documents of the selection when the call began.', 12),
    deleted: Count('Documents that this call has deleted; with `dryRun` none.', 12),
    unreadableCount: Count('Documents that were left, since they cannot be read.', 0),
    confirm: orNull(Type.String(), {
      description: `For the call that deletes what is left: after a count, and where deleting takes longer than ${LIMITS.forgetMs / 1000} s; null where nothing is left.`,
      examples: [null],
    }),
    elapsedMs: common.ElapsedMs,
  },
  { title: 'ForgetAnswer' },
);

const ExportedDocument = closed(
  {
    ...document,
    versions: Type.Array(ChangedVersion, { description: `Its versions, newest first; at most ${LIMITS.limitMax}.` }),
    moreVersions: Flag('Whether it has more of them: `GET /documents/versions` lists all.', false),
  },
  { title: 'ExportedDocument', description: 'A document of an export.' },
);

const UnreadableDocument = closed(
  {
    url: Text('Its normalised URL.', 'https://a.example/x'),
    code: Type.Literal('index-unreadable', { description: 'What to switch on.' }),
    detail: Text('What happened.', 'What is known of this URL cannot be read.'),
  },
  { title: 'UnreadableDocument', description: 'A document that is there, of which nothing can be read.' },
);

const ExportSummary = closed(
  {
    summary: closed(
      {
        documents: Count('Documents that were told.', 1200),
        unreadableCount: Count('Documents that cannot be read.', 0),
        complete: Flag('False where something went wrong: go on `after` the last URL.', true),
      },
      { description: 'How it all went.' },
    ),
  },
  { title: 'ExportSummary', description: 'The last line of an export: without it, it was broken off.' },
);

export const ExportLine = Type.Union([ExportedDocument, UnreadableDocument]);
export const ExportAnswerLine = Type.Union([ExportedDocument, UnreadableDocument, ExportSummary], {
  title: 'ExportAnswerLine',
  examples: [common.exampleOf(ExportedDocument)],
});
