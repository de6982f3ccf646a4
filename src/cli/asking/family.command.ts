import type { ClusterAnswer, ClusterRequest } from '../../service/clusters/cluster-api.ts';
import { DEFAULT_CLUSTER_OPTIONS, SERVICE_LIMITS } from '../../service/limits.ts';
import { CONTENT_WISHES } from '../../service/options.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import { WHERE } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { choiceOf, numberOf, shareOf } from '../option-values.ts';
import { familyText } from './family-texts.ts';
import { withIndex } from './with-index.ts';

export const FAMILY: Command = {
  name: 'family',
  group: 'way in and out',
  operands: '<URL>',
  summary: 'show the cluster of a URL: all that hangs together with it',
  about:
    'Shows all texts that hang together with the text of a URL by pairs that are alike enough, the strongest first, with their URLs. The URL must be in the index. "shingled cluster" finds all clusters of a whole corpus.',
  options: {
    ...WHERE,
    at: `join pairs that are at least this alike (${DEFAULT_CLUSTER_OPTIONS.threshold})`,
    by: 'the measure: resemblance or containment (resemblance)',
    content:
      'compare pages, their main texts less the frames of their sites (main), or main where there is one (auto): page, main or auto (page)',
    limit: `show at most this many texts (${DEFAULT_CLUSTER_OPTIONS.limit})`,
    json: 'print one line of JSON, as GET /clusters answers it',
  },
  values: { at: '<share>' },
  operandsMax: 1,
  examples: ['shingled family https://a.example/x', 'shingled family https://a.example/x --at .8 --json'],
  run: async (given, context) => {
    const request = requestOf(given);
    const answer = await withIndex(given, context, (index) => index.cluster(request));
    context.show(answer, (shown: ClusterAnswer) => familyText(shown));
    return EXIT_CODES.done;
  },
};

function requestOf(given: Given): ClusterRequest {
  const [url] = given.operands;
  if (url === undefined) throw new UsageError('family needs a URL of the index');
  const by = choiceOf(given, 'by', ['resemblance', 'containment'], DEFAULT_CLUSTER_OPTIONS.by);
  return {
    ...DEFAULT_CLUSTER_OPTIONS,
    ...{ url, by },
    content: choiceOf(given, 'content', CONTENT_WISHES, DEFAULT_CLUSTER_OPTIONS.content),
    threshold: shareOf(given, 'at') ?? DEFAULT_CLUSTER_OPTIONS.threshold,
    limit: numberOf(given, 'limit', { otherwise: DEFAULT_CLUSTER_OPTIONS.limit, max: SERVICE_LIMITS.limitMax }),
    deadlineMs: null,
  };
}
