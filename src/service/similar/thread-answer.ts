import type { Answered, Question } from '../../queries/port.ts';
import type { MatchOptions } from '../api.ts';
import type { QueryContext } from '../context.ts';
import { fromIndex } from '../document/obtain.ts';
import type { Obtained } from '../document/query.ts';
import { writeSimilar } from './similar.ts';
import type { SimilarQuestion } from './thread-question.ts';

/** Answers a question on a query thread; null where the index does not know the URL. Throws as a query does. */
export async function answerSimilar(
  context: QueryContext,
  { asked, about, body }: Pick<Question, 'asked' | 'about' | 'body'>,
): Promise<Answered | null> {
  const question = about as SimilarQuestion;
  const obtained = await obtainFor(context, question, body);
  if (obtained === null) return null;
  const [, , , startedAt] = question;
  return writeSimilar(context, obtained, optionsOf(asked), startedAt - performance.timeOrigin);
}

/** Options that were read; all of them are forgotten where there are too many. */
const known = new Map<string, MatchOptions>();
const KNOWN_MAX = 64;
/** Those with long lists of hosts come once. */
const KNOWN_LETTERS_MAX = 1024;

function optionsOf(asked: string): MatchOptions {
  const before = known.get(asked);
  if (before !== undefined) return before;
  const options = JSON.parse(asked) as MatchOptions;
  if (asked.length > KNOWN_LETTERS_MAX) return options;
  if (known.size === KNOWN_MAX) known.clear();
  known.set(asked, options);
  return options;
}

async function obtainFor(
  { store, deadline }: QueryContext,
  [from, url, contentType]: SimilarQuestion,
  body: string | null,
): Promise<Obtained | null> {
  if (from !== 'index') {
    return { from, url, bytes: { bytes: Buffer.from(body!, 'latin1'), contentType, select: null, remove: null } };
  }
  const query = await deadline.race(fromIndex(store, url!));
  return query === null ? null : { query };
}
