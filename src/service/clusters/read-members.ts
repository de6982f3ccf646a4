import type { OwnContent } from '../../core/content/own-content.ts';
import type { KeptSample } from '../../core/sketch/narrow.ts';
import type { Content } from '../../store/port.ts';
import type { ContentWish } from '../api.ts';
import type { DocumentContent } from '../content/document-content.ts';
import { type ContentReader, createContentReader } from '../content/match-contents.ts';
import type { QueryContext } from '../context.ts';

/** A content that is known, with what it says by itself where that is asked for. */
export interface Member extends Content<KeptSample> {
  /** null: it is compared by all that it says. */
  readonly own: OwnContent<KeptSample> | null;
  readonly told: DocumentContent | null;
}

/** Contents whose hosts and templates are read at the same time. */
const AT_A_TIME = 16;

/** Tells contents as they are compared: by pages, or by what they say by themselves. */
export class MemberReader {
  readonly #context: QueryContext;
  readonly #wish: ContentWish;
  readonly #read: ContentReader;

  constructor(context: QueryContext, wish: ContentWish) {
    this.#context = context;
    this.#wish = wish;
    this.#read = createContentReader(context);
  }

  /** @throws the error of the deadline */
  async one(content: Content<KeptSample>): Promise<Member> {
    if (this.#wish === 'page') return { ...content, own: null, told: null };
    const told = await this.#read(content);
    return { ...content, own: told.unknown === null ? told.own : null, told };
  }

  /** The same for many, in turns. @throws the error of the deadline */
  async *each(contents: readonly Content<KeptSample>[]): AsyncGenerator<Member, void, undefined> {
    const { turns, deadline } = this.#context;
    for (let from = 0; from < contents.length; from += AT_A_TIME) {
      const some = contents.slice(from, from + AT_A_TIME);
      for (const member of await Promise.all(some.map((content) => this.one(content)))) {
        if (turns.spent()) await turns.next();
        deadline.throwIfGivenUp();
        yield member;
      }
    }
  }

  /** Whether contents alone are asked for, and this one has none. */
  isNothing({ own }: Member): boolean {
    return own === null && this.#wish === 'main';
  }
}
