import type { Answered, Question } from '../../queries/port.ts';
import type { QueryContext } from '../context.ts';
import { fromIndex } from '../document/obtain.ts';
import type { Obtained } from '../document/query.ts';
import { writeSimilar } from './similar.ts';
import type { SimilarQuestion } from './thread-question.ts';

/** Answers a question on a query thread; null where the index does not know the URL. Throws as a query does. */
export async function answerSimilar(
  context: QueryContext,
  { asked, body }: Pick<Question, 'asked' | 'body'>,
): Promise<Answered | null> {
  const question = JSON.parse(asked) as SimilarQuestion;
  const obtained = await obtainFor(context, question, body);
  if (obtained === null) return null;
  return writeSimilar(context, obtained, question.options, question.startedAt - performance.timeOrigin);
}

async function obtainFor(
  { store, deadline }: QueryContext,
  { from, url, contentType }: SimilarQuestion,
  body: string | null,
): Promise<Obtained | null> {
  if (from !== 'index') {
    return { from, url, bytes: { bytes: Buffer.from(body!, 'latin1'), contentType, select: null, remove: null } };
  }
  const query = await deadline.race(fromIndex(store, url!));
  return query === null ? null : { query };
}
