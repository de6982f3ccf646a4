import type { CompareRequest } from 'shingled/types';

/* By what documents are compared, as people read it. */

export type ContentWish = NonNullable<CompareRequest['content']>;

/** How each is called. */
export const CONTENT_WISHES: Readonly<Record<ContentWish, string>> = {
  page: 'whole pages',
  main: 'main texts, without the frame of their site',
  auto: 'main texts if both have one, else whole pages',
};

export const isContentWish = (value: unknown): value is ContentWish => Object.hasOwn(CONTENT_WISHES, String(value));
