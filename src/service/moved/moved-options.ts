import type { MovedOptions } from './moved-api.ts';

/** What is asked for where the caller does not say. */
export const DEFAULT_MOVED_OPTIONS: MovedOptions = { limit: 10, always: false, content: 'page', deadlineMs: null };

/** URLs of one list: some seconds of work. Longer lists go in lines, which are answered as they come. */
export const MOVED_URLS_MAX = 1000;
