import { canonicalBytes, canonicalize, goOn } from './canonicalize.as.ts';
import {
  addDistinct,
  addMarked,
  clearDistinct,
  count as distinctCount,
  list,
  markedCount,
  markedMultiples,
} from './distinct.as.ts';
import {
  CANON,
  FIELD,
  FIRST,
  HEAP,
  INPUT,
  JOINING,
  PARAMETERS,
  PIECE,
  RESULT,
  SECOND,
  SPELLINGS,
  SPELLINGS_BYTES,
  STRETCH,
  TEXT,
  TOKENS,
  TWO_BYTES,
  UNICODE_BLOCKS,
  UNICODE_INFOS,
  UNICODE_INFOS_BYTES,
  WINDOWS,
} from './layout.as.ts';
import { permute } from './permutation.as.ts';
import { fingerprintTokens } from './rabin.as.ts';
import { sample, sumDistinct } from './sample.as.ts';
import { beginWindow, prepareWindow, slide, stopWindow } from './shingles.as.ts';
import { copyTokens, findTokens, prepareTokens } from './tokens.as.ts';

/*
 * From a text to its sketch in WebAssembly: core/sketch/sketch.ts, whose stages stand here under the same names.
 *
 *   piece of text ─ canonicalize                                               canonicalize, goOn while it is not done
 *                 ─ tokens ─ rabin ─ permutation ─ shingles ─ permutation ─ distinct               addPiece, for each
 *                                                             distinct ─ sample                    finish, once
 *
 * The host cuts a document into pieces where a separator stands, so that no token and no character lies in two. Nothing
 * is called from here. V8 keeps the ways from WebAssembly to JavaScript for all threads together, and ends the process
 * now and then when a thread that has used one was ended. Written in AssemblyScript, for `npm run kernel:build`.
 */

// what the host calls, beside what is below, and the addresses of what it writes and reads
export {
  CANON,
  canonicalize,
  FIELD,
  FIRST,
  goOn,
  HEAP,
  INPUT,
  JOINING,
  markedMultiples,
  PARAMETERS,
  PIECE,
  RESULT,
  SECOND,
  SPELLINGS,
  SPELLINGS_BYTES,
  STRETCH,
  sample,
  TEXT,
  TWO_BYTES,
  UNICODE_BLOCKS,
  UNICODE_INFOS,
  UNICODE_INFOS_BYTES,
};

const TOKEN_KEY: usize = PARAMETERS + 16;
const SHINGLE_KEY: usize = PARAMETERS + 48;

let shingleSize: i32 = 0;
let tokenCount: u32 = 0;
/** Whether it was said what of this document is main. */
let isMarked: bool = false;
/** How many main tokens there are up to here, one after another. */
let mainRun: u32 = 0;

/** Takes w and how many bits table SECOND is for; the tables and parameters of the host stand in memory. */
export function prepare(w: i32, secondBits: i32): void {
  shingleSize = w;
  prepareTokens();
  prepareWindow(w, secondBits);
}

/**
 * Begins a document; `slots` is a power of two, at least 16; `marked` is whether pieces are told apart that are main. Returns
 * false where there is no memory for it.
 */
export function begin(slots: usize, marked: bool): bool {
  tokenCount = 0;
  isMarked = marked;
  mainRun = 0;
  beginWindow();
  return clearDistinct(slots);
}

/**
 * Takes the piece in canonical form, which is main or not as a whole; writes its tokens to TEXT where they are wanted. Returns
 * false where there is no memory.
 */
export function addPiece(withText: bool, isMain: bool): bool {
  const count = findTokens(canonicalBytes());
  if (withText) store<u32>(RESULT, <u32>copyTokens(count), 24);
  fingerprintTokens(count);
  permute(TOKEN_KEY, TOKENS, count);
  slide(count);
  // the window is full only from the token number w on
  const first = min(count, max(0, shingleSize - 1 - <i32>min<u32>(tokenCount, <u32>shingleSize)));
  permute(SHINGLE_KEY, WINDOWS + ((<usize>first) << 3), count - first);
  tokenCount += count;
  return isMarked ? addMain(first, count, isMain) : addDistinct(first, count);
}

/** Adds the windows that end with tokens from..to-1 of the piece: from the main token number w on they are main. */
function addMain(from: i32, to: i32, isMain: bool): bool {
  if (to === 0) return true;
  const before = <i32>min<u32>(mainRun, <u32>shingleSize);
  const main = isMain ? min(to, max(from, shingleSize - 1 - before)) : to;
  mainRun = isMain ? mainRun + <u32>to : 0;
  return addMarked(from, main, false) && addMarked(main, to, true);
}

/** Ends a document: RESULT is complete. Returns false where there is no memory for its one short shingle. */
export function finish(): bool {
  let enough = true;
  if (tokenCount > 0 && tokenCount < <u32>shingleSize) {
    stopWindow();
    permute(SHINGLE_KEY, WINDOWS, 1);
    enough = isMarked ? addMarked(0, 1, mainRun === tokenCount) : addDistinct(0, 1);
  }
  sumDistinct();
  store<u32>(RESULT, tokenCount, 16);
  store<u32>(RESULT, <u32>distinctCount, 20);
  store<u32>(RESULT, <u32>list, 28);
  store<u32>(RESULT, <u32>markedCount, 32);
  return enough;
}
