import { parentPort } from 'node:worker_threads';
import { type AnswerMessage, CLOSE, type QuestionMessage, READY } from '../../../src/queries/messages.ts';

/* A query thread that does as it is asked: says it again, says nothing, throws, hangs, waits, or tells what it was told. */

const told: unknown[] = [];
const port = parentPort!;
/** Each time it says that it has also worked for somebody whom it has not answered yet. */
const WORKED = new Map([
  ['a', 1],
  ['large', 40],
]);
const say = (id: number, json: string | null) => port.postMessage([id, json, null, WORKED] satisfies AnswerMessage);

port.on('message', (message: QuestionMessage | object | typeof CLOSE) => {
  if (message === CLOSE) return port.close();
  if (!Array.isArray(message)) return told.push(message);
  const [id, , asked] = message as unknown as QuestionMessage;
  if (asked === 'nothing') return say(id, null);
  if (asked === 'throw') throw new Error('as it was asked');
  if (asked === 'hang') for (;;);
  if (asked === 'wait') return undefined;
  return say(id, asked === 'told' ? JSON.stringify(told) : asked);
});
port.postMessage(READY);
