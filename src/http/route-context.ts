import type { Door } from './door.ts';
import type { HttpLimits } from './limits.ts';
import type { HttpParts } from './options.ts';
import type { Streams } from './streams.ts';
import type { Unread } from './unread.ts';

/** What routes work with: the parts, and what they share of the process. */
export interface RouteContext extends HttpParts {
  readonly limits: HttpLimits;
  readonly door: Door;
  readonly streams: Streams;
  readonly unread: Unread;
}
