import type { ByteWindow } from './byte-window.ts';
import { AHEAD_BYTES_MAX, LOOK_BACK_BYTES } from './byte-window.ts';
import type { Packing } from './packing.ts';
import { packingAt } from './packings.ts';
import { GLANCED_BYTES, mayBeMember, readMember } from './whole-member.ts';

/*
 * From damage on to the next sound member. Where its magic is, it is tried; a few bytes of rubbish look like one now and then.
 *
 * Who makes a file in which each byte seems to begin a member, and none does, makes us try each. So what is tried in vain is
 * counted, and from some amount on searching goes on behind it: sound members may be lost in such a file only.
 */

const MIB = 2 ** 20;
const TRIED_BYTES_MAX = 64 * MIB;

/**
 * Goes to the next member that is sound, or too large to say; else to the end of the file, or behind `reach` bytes.
 *
 * @returns whether there is one
 */
export async function searchMember(
  window: ByteWindow,
  packings: readonly Packing[],
  reach = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const end = window.at + reach;
  let tried = 0;
  for (;;) {
    await window.fill(LOOK_BACK_BYTES);
    const { ahead, isRead } = window;
    if (ahead.length === 0 || window.at >= end) return false;
    const next = nextMagic(packings, ahead, isRead);
    window.goTo(window.at + next);
    const packing = packingAt(packings, window.ahead);
    if (packing === null) continue;
    await window.fill(GLANCED_BYTES);
    const place = window.at;
    const isLikely = mayBeMember(packing, window.ahead);
    if (isLikely && (await isSound(window, packing))) {
      window.goTo(place);
      return true;
    }
    const inVain = isLikely ? window.ahead.length : Math.min(GLANCED_BYTES, window.ahead.length);
    tried += inVain;
    window.goTo(place + (tried > TRIED_BYTES_MAX ? inVain : 1));
  }
}

async function isSound(window: ByteWindow, packing: Packing): Promise<boolean> {
  const soon = readMember(packing, window.ahead);
  if (soon.is !== 'longer') return soon.is !== 'damaged';
  await window.fill(AHEAD_BYTES_MAX);
  const member = readMember(packing, window.ahead);
  return member.is === 'longer' ? !window.isRead : member.is !== 'damaged';
}

/** Where the next magic begins; else where the rest of one may begin that is not here yet. */
function nextMagic(packings: readonly Packing[], bytes: Buffer, isAll: boolean): number {
  const places = packings.map(({ magic }) => bytes.indexOf(magic)).filter((at) => at >= 0);
  if (places.length > 0) return Math.min(...places);
  const longest = Math.max(...packings.map(({ magic }) => magic.length));
  return isAll ? bytes.length : Math.max(1, bytes.length - longest + 1);
}
