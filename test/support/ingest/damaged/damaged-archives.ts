import { constants, inflateRawSync, zstdDecompressSync } from 'node:zlib';
import type { IngestItem } from '../../../../src/ingest/port.ts';
import { createPrng, type Prng } from '../../prng.ts';
import {
  type Archive,
  answerOf,
  archiveOf,
  blockDigest,
  endsOf,
  FORMS,
  type Form,
  itemsOf,
  recordOf,
  told,
} from '../archives.ts';

/*
 * Archives that somebody damaged: every record that the damage does not touch must be given as it was, nothing else, nothing
 * twice, and what is missing must be told.
 */

export type Damage =
  | { readonly kind: 'flipped'; readonly at: number; readonly bit: number }
  | { readonly kind: 'cut out'; readonly at: number; readonly to: number }
  | { readonly kind: 'spliced'; readonly at: number; readonly rubbish: Buffer };

export interface Trial {
  readonly form: Form;
  readonly damage: Damage;
  readonly records: number;
  /** Records that the damage does not touch. */
  readonly sound: number;
  /** What went wrong; none in a sound reader. */
  readonly faults: readonly string[];
}

export async function damagedTrial(seed: number): Promise<Trial> {
  const prng = createPrng(seed);
  const form = FORMS[prng.below(FORMS.length)]!;
  const pages = Array.from({ length: 2 + prng.below(12) }, (_, i) => pageOf(prng, i));
  const records = pages.map(({ url, body }) => {
    const block = answerOf(body);
    return recordOf(block, { url, more: [blockDigest(block)] });
  });
  const archive = archiveOf(records, form);
  const damage = damageOf(prng, archive.bytes.length);
  const items = await itemsOf(damaged(archive.bytes, damage), null, form.startsWith('gzip') ? 'x.gz' : 'x.zst');
  const should = pages.map(({ url, body }) => `put ${url} ${body}`);
  const isSound = soundRecords(archive, form, damage, records);
  const faults = faultsOf(items, should, isSound, form === 'gzip' || form === 'zstd');
  return { form, damage, records: records.length, sound: isSound.filter(Boolean).length, faults };
}

const WORDS =
  'a member of an archive that is read to its end whatever is damaged in it and nothing of the others is lost';

function pageOf(prng: Prng, i: number): { url: string; body: string } {
  const words = WORDS.split(' ');
  // a few are larger than what is unpacked at a stretch
  const count = prng.below(60) === 0 ? 400_000 : prng.below(8) === 0 ? 30_000 : 20 + prng.below(400);
  const body = Array.from({ length: count }, () => `${words[prng.below(words.length)]}${prng.below(1000)}`).join(' ');
  return { url: `http://a.example/${i}`, body: `<p>${body}` };
}

function damageOf(prng: Prng, length: number): Damage {
  const at = prng.below(length);
  switch (prng.below(3)) {
    case 0:
      return { kind: 'flipped', at, bit: prng.below(8) };
    case 1: {
      const to = prng.below(4) === 0 ? length : Math.min(length, at + 1 + prng.below(2000));
      return { kind: 'cut out', at, to };
    }
    default: {
      const bytes = Buffer.from(Array.from({ length: 1 + prng.below(3000) }, () => prng.below(256)));
      const isText = prng.below(3) === 0;
      return {
        kind: 'spliced',
        at,
        rubbish: isText ? Buffer.from(`\r\nWARC/1.0 ${bytes.toString('base64')}\r\n\r\n`) : bytes,
      };
    }
  }
}

function damaged(bytes: Buffer, damage: Damage): Buffer {
  const { at } = damage;
  if (damage.kind === 'cut out') return Buffer.concat([bytes.subarray(0, at), bytes.subarray(damage.to)]);
  if (damage.kind === 'spliced') return Buffer.concat([bytes.subarray(0, at), damage.rubbish, bytes.subarray(at)]);
  const changed = Buffer.from(bytes);
  changed[at]! ^= 1 << damage.bit;
  return changed;
}

/**
 * Of each record whether all its bytes are before the damage or behind it. Of one member, before it, and not the last there is: what
 * a member gives last is not believed where its checksum cannot say that it is whole.
 */
function soundRecords({ bytes, places }: Archive, form: Form, damage: Damage, records: readonly Buffer[]): boolean[] {
  const from = damage.at;
  const to = damage.kind === 'cut out' ? damage.to : damage.kind === 'flipped' ? from + 1 : from;
  if (places !== null) return places.map((place) => place.to <= from || place.from >= to);
  const unpacked = unpackedBytes(bytes.subarray(0, from), form);
  return endsOf(records).map((end) => end < unpacked);
}

function unpackedBytes(beginning: Buffer, form: Form): number {
  const { Z_SYNC_FLUSH, ZSTD_e_flush } = constants;
  if (form === 'zstd, one frame') return zstdDecompressSync(beginning, { finishFlush: ZSTD_e_flush }).length;
  return inflateRawSync(beginning.subarray(10), { finishFlush: Z_SYNC_FLUSH }).length;
}

function faultsOf(
  items: readonly IngestItem[],
  should: readonly string[],
  isSound: readonly boolean[],
  isProven: boolean,
) {
  const given = items.filter((item) => 'operation' in item).map(told);
  const faults: string[] = [];
  for (const [i, text] of should.entries()) {
    const times = given.filter((other) => other === text).length;
    if (isSound[i] && times !== 1) faults.push(`record ${i} is given ${times} times`);
    if (times > 1) faults.push(`record ${i} is given twice`);
  }
  // a record by itself in a member has a checksum, its head too; else what is given of a head may have been changed
  const strange = given.filter((text) => !should.includes(text));
  if (strange.length > (isProven ? 0 : 1))
    faults.push(`${strange.length} are given that are none: ${strange[0]!.slice(0, 80)}`);
  const refused = items.filter((item) => 'refused' in item);
  const other = refused.find(({ refused: reason }) => reason !== 'damaged' && isProven);
  if (other !== undefined) faults.push(`refused for ${other.refused}: ${other.detail}`);
  const isMissing = should.some((text) => !given.includes(text));
  if (isMissing && refused.length === 0 && strange.length === 0)
    faults.push('records are missing, and nothing is told');
  const unnamed = refused.find(({ at }) => !/ byte \d+/.test(at));
  if (unnamed !== undefined) faults.push(`no place is told: ${unnamed.at}`);
  return faults;
}
