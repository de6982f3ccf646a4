import { parentPort, workerData } from 'node:worker_threads';
import { createSketcher } from '../core/sketch/sketch.ts';
import { extract } from '../extract/extract.ts';
import type { ExtractLimits } from '../extract/limits.ts';
import type { Identity } from '../identity/identity.ts';
import type { WrittenJson } from '../json/written-json.ts';
import { createKernel, type KernelName } from '../kernel/choose.ts';
import type { QueryContext } from '../service/context.ts';
import type { ServiceLimits } from '../service/limits.ts';
import { answerSimilar } from '../service/similar/thread-answer.ts';
import { Templates } from '../service/templates.ts';
import { type Deadline, withDeadline } from '../sharing/deadline.ts';
import { resumed, serving } from '../sharing/served.ts';
import { EventLoop } from '../sharing/turns.ts';
import type { ThreadSetup, Told } from '../store/level/threads/feed.ts';
import { ThreadStore } from '../store/level/threads/thread-store.ts';
import { createDocumentProcessor } from '../workers/process-document.ts';
import { type AnswerMessage, type Cancelled, CLOSE, type QuestionMessage, READY } from './messages.ts';
import type { QuestionKind } from './port.ts';

/*
 * A query thread: from a question to the JSON of its answer, several at a time. It says nothing where it cannot answer:
 * whatever was wrong, the main thread meets it again and says so.
 */

/** What a thread is given when it begins. */
export interface QueryThreadData {
  readonly setup: ThreadSetup;
  readonly first: Told;
  readonly identity: Identity;
  readonly kernel: KernelName;
  readonly extractLimits: ExtractLimits;
  readonly limits: ServiceLimits;
}

const KINDS: Readonly<Record<QuestionKind, typeof answerSimilar>> = { similar: answerSimilar };

const { setup, first, identity, kernel, extractLimits, limits } = workerData as QueryThreadData;
const store = await ThreadStore.open(setup, first.index!);
const { sketcher } = createKernel(identity.fingerprint, kernel);
const read = createDocumentProcessor(identity, sketcher, (input) => extract(input, extractLimits, false));
const shared = {
  store,
  identity,
  limits,
  documents: { process: read },
  sketcher: createSketcher(identity.fingerprint),
  templates: new Templates(),
};
/** How long it has worked for each caller since its last message, in ms: those with other questions under way, too. */
const worked = new Map<string, number>();
const loop = new EventLoop(limits.sliceMs, undefined, (caller, ms) => {
  worked.set(caller, (worked.get(caller) ?? 0) + ms);
});
const underWay = new Map<number, Deadline>();
const port = parentPort!;

port.on('message', (message: QuestionMessage | Told | Cancelled | typeof CLOSE) => {
  if (message === CLOSE) void close();
  else if ('cancelled' in message) underWay.get(message.cancelled)?.end();
  else if ('length' in message) void answer(message);
  else store.tell(message);
});
port.postMessage(READY);

async function answer([id, kind, asked, about, body, caller, msLeft]: QuestionMessage): Promise<void> {
  const say = (json: WrittenJson | null, brief: unknown) => {
    const moved = typeof json === 'string' || json === null ? [] : [json.buffer];
    port.postMessage([id, json, brief, worked] satisfies AnswerMessage, moved);
    worked.clear();
  };
  loop.enter(caller);
  try {
    const answered = await withDeadline(msLeft, undefined, (deadline) => {
      underWay.set(id, deadline);
      const context: QueryContext = { ...shared, caller, deadline, turns: loop.turnsOf(caller) };
      return serving(loop.servedOf(caller), () => {
        resumed();
        return KINDS[kind](context, { asked, about, body });
      });
    });
    say(answered?.json ?? null, answered?.brief ?? null);
  } catch {
    say(null, null);
  } finally {
    underWay.delete(id);
    loop.leave(caller);
  }
}

/** Without a listener the thread ends by itself. */
async function close(): Promise<void> {
  await store.close();
  port.close();
}
