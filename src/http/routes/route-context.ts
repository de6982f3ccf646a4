import type { Door, Streams } from '../edge/door.ts';
import type { Unread } from '../edge/unread.ts';
import type { HttpParts } from '../http-options.ts';
import type { HttpLimits } from '../limits.ts';

/** What routes work with: the parts, and what they share of the process. */
export interface RouteContext extends HttpParts {
  readonly limits: HttpLimits;
  readonly door: Door;
  readonly streams: Streams;
  readonly unread: Unread;
}
