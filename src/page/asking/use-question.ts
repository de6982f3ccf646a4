import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from './ask-service.ts';

/** What became of the last question. The last answer stays until there is another one. */
export interface Asked<T> {
  readonly isAsking: boolean;
  readonly answer: T | null;
  readonly fault: Refusal | null;
  /** Asks; a question that is under way is given up. */
  readonly ask: (question: Question<T>) => void;
  /** Asks the last question again. */
  readonly again: () => void;
  readonly cancel: () => void;
}

export type Question<T> = (signal: AbortSignal) => Promise<T>;

/** The last answer of each view, and at which address: whoever comes back there finds it again. */
const lastAnswers = new Map<string, { readonly address: string; readonly answer: unknown }>();

/** @param name of a question on the page; one at a time asks it */
export function useQuestion<T>(name: string): Asked<T> {
  const [told, setTold] = useState<Pick<Asked<T>, 'isAsking' | 'answer' | 'fault'>>({
    ...{ isAsking: false, answer: answerAt<T>(name), fault: null },
  });
  const underWay = useRef<AbortController | null>(null);
  const last = useRef<Question<T> | null>(null);
  const cancel = () => {
    underWay.current?.abort();
    underWay.current = null;
    setTold((before) => ({ ...before, isAsking: false }));
  };
  const ask = (question: Question<T>) => {
    underWay.current?.abort();
    const own = new AbortController();
    underWay.current = own;
    last.current = question;
    const address = location.hash;
    setTold((before) => ({ ...before, isAsking: true, fault: null }));
    question(own.signal).then(
      (answer) => {
        if (underWay.current !== own) return;
        lastAnswers.set(name, { address, answer });
        setTold({ isAsking: false, answer, fault: null });
      },
      (error: unknown) => {
        if (underWay.current === own) setTold((before) => ({ ...before, isAsking: false, fault: asRefusal(error) }));
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
