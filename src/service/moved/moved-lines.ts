import type { ServiceContext } from '../context.ts';
import { lineFailure, repeatedUrl } from '../write/bulk.ts';
import { answersInOrder } from '../write/in-order.ts';
import { moved } from './moved.ts';
import type { MovedLine, MovedLineAnswer } from './moved-api.ts';

/** Many URLs in one request, answered in their order; a line waits for room among the queries instead of being refused. */
export function movedLines(
  context: ServiceContext,
  lines: AsyncIterable<MovedLine>,
): AsyncGenerator<MovedLineAnswer, void, undefined> {
  const answerLine = async (asked: MovedLine): Promise<MovedLineAnswer> => {
    const { line } = asked;
    try {
      if ('error' in asked) throw asked.error;
      return { line, status: 200, answer: await moved(context, asked.request, 'wait') };
    } catch (error) {
      const url = 'error' in asked ? asked.url : asked.request.url;
      return { line, url: repeatedUrl(url), ...lineFailure(context, error) };
    }
  };
  return answersInOrder(lines, { linesMax: context.limits.batchLinesInFlightMax }, answerLine);
}
