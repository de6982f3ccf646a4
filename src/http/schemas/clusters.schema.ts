import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS, DEFAULT_CLUSTER_OPTIONS as STANDARD } from '../../service/limits.ts';
import * as common from './common.schema.ts';
import { answer, Count, closed, exampleOf, Flag, Kind, orNull, Share, Text } from './common.schema.ts';
import { ClusterContent, MEMBER_CONTENTS, NoContent, PAIR_CONTENTS } from './figures/content.schema.ts';
import { EstimatedShare } from './figures/shares.schema.ts';
import { LimitReached, SizeRecall, Source } from './matches.schema.ts';

/* What the call that asks for a cluster takes and answers. */

const By = Type.Enum(['resemblance', 'containment'], {
  description:
    'By what a pair is joined: the share of all shingles of both that both have, or how much of the smaller one is in the other.',
  examples: ['resemblance'],
});

export const ClusterQuery = closed({
  url: common.Url('A URL that the index knows, or the corpus of CLUSTERS_DIR.'),
  threshold: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      description: `How alike a pair is that joins, at the least; ${STANDARD.threshold} where not given.`,
      examples: [0.8],
    }),
  ),
  by: Type.Optional(By),
  content: Type.Optional(ClusterContent),
  limit: Type.Optional(common.PageLimit(`Members, ${STANDARD.limit} where not given,`, 100)),
  sourcesPerMember: Type.Optional(
    Count(
      `Sources listed for one member, ${STANDARD.sourcesPerMember} where not given; at most ${LIMITS.sourcesPerMatchMax}.`,
      3,
      1,
    ),
  ),
  deadlineMs: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.deadlineMsMax,
      description: `Time for the answer; ${LIMITS.clusterMs} where not given. What is found by then is answered.`,
      examples: [2000],
    }),
  ),
});

export type ClusterQueryValues = Static<typeof ClusterQuery>;

const CONTENT = '0f343b0931126a20f133d67c2b018a3b';

const MemberSource = closed(
  {
    url: Source.properties.url,
    state: Source.properties.state,
    firstSeen: Source.properties.firstSeen,
    lastSeen: Source.properties.lastSeen,
  },
  { title: 'MemberSource', description: 'A URL that says a content now, or said it last before it was gone.' },
);

const MemberPair = closed(
  {
    contentId: Text('A member before this one.', CONTENT),
    likeness: EstimatedShare,
    ...PAIR_CONTENTS,
  },
  { title: 'MemberPair', description: 'The strongest pair that the member had with one before it.' },
);

const MEMBER = {
  contentId: Text('Its content.', CONTENT),
  kind: Kind,
  tokens: Count('Words, as the index counts them; of features 0.', 812),
  shingles: Count('Distinct shingles, exactly.', 790),
  ...MEMBER_CONTENTS,
  joinedBy: orNull(MemberPair),
  sources: Type.Array(MemberSource, { description: 'URLs that say it, by reversed host, then by URL.' }),
  sourceCount: Count('How many there are, exactly.', 1),
};
const ClusterMember = closed(MEMBER, { title: 'ClusterMember', description: 'A content of a cluster.' });

const WeakestSide = closed(
  {
    contentId: Text('A content of the pair.', CONTENT),
    contentCount: Count('Contents on its side, were the pair not there.', 3),
  },
  { title: 'WeakestSide', description: 'One side of the weakest pair.' },
);

const WeakestPair = closed(
  { likeness: EstimatedShare, ...PAIR_CONTENTS, a: WeakestSide, b: WeakestSide },
  {
    title: 'WeakestPair',
    description: 'The pair without which the cluster parts in two, as at any higher threshold; b was joined by it.',
  },
);

const IndexCluster = closed(
  {
    asOf: common.Time('When it was answered.'),
    representative: common.Url(
      'The source that was seen first with its content; of several that with the shortest URL, then the least.',
    ),
    members: Type.Array(ClusterMember, {
      description:
        'The content of the URL, then each by the strongest pair that any content outside had with one before it: the pairs are the maximum spanning tree of the cluster.',
    }),
    contentCount: Count('Members.', 1),
    weakest: orNull(WeakestPair),
    recall: Share({
      description:
        'The chance that a content that is just so alike to a member was met by it: a lower bound, the least of all members. By `containment` it is that of the shortest possible content, one shingle.',
      examples: [0.999999],
    }),
    recallBySize: Type.Optional(
      Type.Array(SizeRecall, { description: 'Present by `containment`: the recall of longer contents.' }),
    ),
    complete: Flag('False where a limit may have left something out.', true),
    limits: Type.Array(LimitReached, { description: 'Limits that bit.' }),
    contentUnknown: Type.Optional(NoContent),
  },
  { title: 'IndexCluster', description: 'The cluster in the index, as it is now.' },
);

const LinkSide = closed(
  {
    url: common.Url('A document of the link.'),
    documents: Count('Documents on its side, were the link not there.', 3),
  },
  { title: 'LinkSide', description: 'One side of the weakest link.' },
);

const CorpusLink = closed(
  { likeness: Share({ description: 'How alike the two are.', examples: [0.81] }), a: LinkSide, b: LinkSide },
  { title: 'CorpusLink', description: 'The link without which the cluster parts in two.' },
);

const CorpusCluster = closed(
  {
    documents: Count('Documents of the cluster, the one asked for among them.', 4),
    texts: Count('Different texts.', 3),
    representative: common.Url(
      'The oldest document; of one time, or without dates, that with the shortest URL; then the first of the input.',
    ),
    weakest: orNull(CorpusLink),
    urls: Type.Array(Type.String(), {
      description: 'Its documents in the order of the input, at most `limit`.',
      examples: [['https://a.example/x']],
    }),
  },
  { title: 'CorpusCluster', description: 'A cluster of the corpus.' },
);

const CorpusAnswer = closed(
  {
    asOf: common.Time('When the corpus was clustered.'),
    by: By,
    content: Type.Enum(['page', 'main', 'auto'], {
      description: 'By what its documents were compared, whatever is asked for.',
      examples: ['page'],
    }),
    floor: Share({ description: 'It knows no pairs that are less alike.', examples: [0.5] }),
    state: Type.Enum(['found', 'unknown-url', 'below-floor', 'other-likeness'], {
      description:
        'Why there is no cluster: `below-floor`, the threshold is; `other-likeness`, the corpus was clustered by the other one.',
      examples: ['unknown-url'],
    }),
    cluster: orNull(CorpusCluster, { examples: [null] }),
  },
  { title: 'CorpusAnswer', description: 'What the corpus of CLUSTERS_DIR says, as it was when it was clustered.' },
);

const MEMBER_EXAMPLE = exampleOf(ClusterMember, { joinedBy: null, sources: [exampleOf(MemberSource)] });

export const ClusterAnswer = answer(
  {
    url: common.Url('The normalised URL.'),
    by: By,
    threshold: Share({ description: 'The threshold.', examples: [0.5] }),
    index: orNull(IndexCluster, { description: 'null where the index does not know the URL, and the corpus does.' }),
    corpus: orNull(CorpusAnswer, { description: 'null without CLUSTERS_DIR.' }),
    elapsedMs: common.ElapsedMs,
  },
  { title: 'ClusterAnswer' },
  {
    index: exampleOf(IndexCluster, { members: [MEMBER_EXAMPLE], weakest: null, limits: [] }) as never,
    corpus: null,
  },
);
