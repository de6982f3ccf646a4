import Type from 'typebox';
import * as common from '../common.schema.ts';
import { answer, Count, closed, exampleOf, orNull } from '../common.schema.ts';
import { EstimatedShare } from '../figures/shares.schema.ts';
import { VERSION } from '../matches.schema.ts';

/* What answers say of versions, of how they differ, and of how often documents change. */

const share = (description: string) => orNull(EstimatedShare, { description });

const Change = closed(
  {
    kind: Type.Enum(['identical', 'formatting', 'template', 'edited', 'replaced', 'gone', 'back'], {
      description:
        '`formatting`: the same words in other bytes; `template`: other words, though the main text has as many shingles, and all of it that was compared is the same; `edited`: other words, resemblance .5 or more; `replaced`: less; `gone` after it was live; `back` after it was gone; `identical`: the same bytes, only of versions from before index format 6.',
      examples: ['edited'],
    }),
    since: common.Time('When the version before was last seen: it changed between then and `observedAt`.'),
    resemblance: share(
      'Of both versions; `decision` says whether it is .5 or more, `undecided` where the kind may be either. Null where it is gone, and where nothing is known of what was there before.',
    ),
    beforeInAfter: share('The part of the version before that is in this one.'),
    afterInBefore: share('The part of this version that is in the one before.'),
  },
  { title: 'Change', description: 'How a version differs from the one before it.' },
);

export const ChangedVersion = closed(
  {
    ...VERSION,
    lastSeen: common.Time('When it was last seen before something else was.'),
    change: orNull(Change, {
      description:
        'From the version before; null of the oldest that is known, and where one of both is from before index format 6 and forgotten.',
    }),
  },
  { title: 'ChangedVersion', description: 'What a URL showed from one time on, and how it had changed.' },
);

const counts = (kind: (description: string) => ReturnType<typeof Count> | ReturnType<typeof Type.Number>) => ({
  identical: kind('The same bytes.'),
  formatting: kind('The same words in other bytes.'),
  template: kind('Other words beside the same main text.'),
  edited: kind('Other words, resemblance .5 or more.'),
  replaced: kind('Resemblance below .5.'),
  gone: kind('Gone after it was live.'),
  back: kind('Live after it was gone.'),
  unknown: kind('Another content, of which no more is known.'),
});

const RATE = {
  days: Type.Number({
    minimum: 0,
    description: 'Days between the first sighting and the last; of many documents their sum.',
    examples: [365],
  }),
  changes: closed(
    counts((description) => Count(description, 3)),
    { title: 'ChangeCounts', description: 'Changes that were seen, by kind.' },
  ),
  perDay: orNull(
    closed(
      counts((description) => Type.Number({ minimum: 0, description, examples: [0.00821918] })),
      { title: 'ChangesPerDay' },
    ),
    { description: 'Changes a day, by kind, to 6 significant digits; null where nothing was seen at two times.' },
  ),
};

const ChangeRate = closed(RATE, {
  title: 'ChangeRate',
  description: 'How often it was seen to change: at most once from one sighting to the next.',
});

export const VersionsAnswer = answer(
  {
    url: common.Url('The normalised URL.'),
    versions: Type.Array(ChangedVersion, { description: 'Newest first.' }),
    rate: ChangeRate,
    cursor: common.NextPage,
  },
  { title: 'VersionsAnswer' },
  { versions: [exampleOf(ChangedVersion, { httpStatus: null })], cursor: null },
);

const HostChanges = closed(
  {
    host: orNull(Type.String(), { description: 'The host; null: names, which have none.', examples: ['a.example'] }),
    documents: Count('Its documents.', 12),
    versions: Count('Their versions; of a document 1,000 at the most, the newest.', 40),
    ...RATE,
  },
  { title: 'HostChanges', description: 'How often documents of a host change.' },
);

export const HostChangesAnswer = answer(
  {
    hosts: Type.Array(HostChanges, { description: 'By their labels from the last to the first; names come first.' }),
    unreadableCount: Count('Documents in no count, since what is known of them cannot be read.', 0),
    cursor: orNull(common.Cursor, { description: 'Where the next page begins; null where this is the last.' }),
  },
  { title: 'HostChangesAnswer' },
  { hosts: [exampleOf(HostChanges)], cursor: null },
);
