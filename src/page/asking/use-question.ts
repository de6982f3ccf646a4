import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from './ask-service.ts';

/** What became of the last question. The last answer stays until there is another one. */
export interface Asked<T> {
  readonly isAsking: boolean;
  /** Whether the answer is what has come so far of that to the question under way. */
  readonly isPart: boolean;
  /** Whether the answer is that to the question before the one that was given up. */
  readonly isOld: boolean;
  readonly answer: T | null;
  readonly fault: Refusal | null;
  /** Asks; a question that is under way is given up. */
  readonly ask: (question: Question<T>) => void;
  /** Asks the last question again. */
  readonly again: () => void;
  readonly cancel: () => void;
}

/** @param tell shows what there is of the answer so far; what was told last stays where the question is given up, or fails */
export type Question<T> = (signal: AbortSignal, tell: (part: T) => void) => Promise<T>;

type Told<T> = Pick<Asked<T>, 'isAsking' | 'isPart' | 'isOld' | 'answer' | 'fault'>;

const AT_REST = { isAsking: false, isPart: false, isOld: false, fault: null } as const;

/** The last answer of each view, and at which address: whoever comes back there finds it again. */
const lastAnswers = new Map<string, { readonly address: string; readonly answer: unknown }>();

/** @param name of a question on the page; one at a time asks it */
export function useQuestion<T>(name: string): Asked<T> {
  const [told, setTold] = useState<Told<T>>({ ...AT_REST, answer: answerAt<T>(name) });
  const underWay = useRef<AbortController | null>(null);
  const last = useRef<Question<T> | null>(null);
  const cancel = () => {
    underWay.current?.abort();
    underWay.current = null;
    setTold((before) => ({ ...before, ...AT_REST, isOld: !before.isPart && before.answer !== null }));
  };
  const ask = (question: Question<T>) => {
    underWay.current?.abort();
    const own = new AbortController();
    underWay.current = own;
    last.current = question;
    const address = location.hash;
    setTold((before) => ({ ...before, ...AT_REST, isAsking: true }));
    const tell = (answer: T, isPart = true) => {
      if (underWay.current !== own) return;
      lastAnswers.set(name, { address, answer });
      setTold({ ...AT_REST, isAsking: isPart, isPart, answer });
    };
    question(own.signal, tell).then(
      (answer) => tell(answer, false),
      (error: unknown) => {
        if (underWay.current === own) setTold((before) => ({ ...before, ...AT_REST, fault: asRefusal(error) }));
      },
    );
  };
  useEffect(() => () => underWay.current?.abort(), []);
  return { ...told, ask, cancel, again: () => last.current !== null && ask(last.current) };
}

function answerAt<T>(name: string): T | null {
  const last = lastAnswers.get(name);
  return last?.address === location.hash ? (last.answer as T) : null;
}

/** A fault of the page itself is told as others are. */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal({ code: 'page-fault', title: 'This page has failed', detail: String(error) }, null);
}
