import { createHmac, timingSafeEqual } from 'node:crypto';
import { ShingledError } from '../../errors.ts';

/*
 * Where a page ended, carried by the client. Nothing is kept here, so any replica with the index key continues any list.
 *
 *   base64url( position ‖ first 16 bytes of HMAC-SHA-256(cursor key, purpose 00 binding 00 position) )
 *
 * `purpose` keeps the cursors of one call from another's; `binding` is what must be the same when the list goes on (the
 * query's digest and its options). A cursor that was changed, or belongs to another list, is `invalid-cursor`.
 */

const TAG_BYTES = 16;

export interface CursorScope {
  readonly purpose: 'similar' | 'sources' | 'versions';
  readonly binding: string;
}

export function sealCursor(key: Uint8Array, scope: CursorScope, position: Uint8Array): string {
  return Buffer.concat([position, tagOf(key, scope, position)]).toString('base64url');
}

/**
 * @returns the position that was sealed
 * @throws ShingledError `invalid-cursor`
 */
export function openCursor(key: Uint8Array, scope: CursorScope, cursor: string): Buffer {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(0, Math.max(0, bytes.length - TAG_BYTES));
  const tag = bytes.subarray(position.length);
  const ours =
    tag.length === TAG_BYTES &&
    timingSafeEqual(tag, tagOf(key, scope, position)) &&
    // the decoder skips what is not base64url: only the one spelling that we gave out counts
    bytes.toString('base64url') === cursor;
  if (!ours) {
    throw new ShingledError('invalid-cursor', 'The cursor was changed, or belongs to another query or other options.', {
      field: 'cursor',
    });
  }
  return position;
}

function tagOf(key: Uint8Array, scope: CursorScope, position: Uint8Array): Buffer {
  const hmac = createHmac('sha256', key).update(`${scope.purpose}\0${scope.binding}\0`).update(position);
  return hmac.digest().subarray(0, TAG_BYTES);
}
