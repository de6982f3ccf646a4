import { bitBytes, isPart } from '../core/sketch/main-marks.ts';
import { indexModulusFor, type Sample } from '../core/sketch/modulus.ts';
import { ShingledError } from '../errors.ts';
import type { IndexDescription, NewContent, PutPlan, WritePlan } from './port.ts';

const FINGERPRINTS = 2 ** 40;

/**
 * Refuses a plan that would leave rows which cannot be read back. The service has checked what clients send, so all but
 * the URL is a mistake inside.
 *
 * @param isSampleWritten the sample is there in the form in which it is written: its fingerprints need not be looked at
 * @throws ShingledError `invalid-url` where the URL is not printable ASCII (normalised URLs are), else `internal`
 */
export function checkPlan(plan: WritePlan, description: IndexDescription, isSampleWritten = false): void {
  checkName(plan.url, 'url');
  if (!isTime(plan.receivedAt)) throw mistake('receivedAt');
  if (plan.kind === 'delete') return;
  if (plan.observedAt !== null && !isTime(plan.observedAt)) throw mistake('observedAt');
  if (plan.kind === 'gone') return;
  if (plan.kind === 'same') {
    checkName(plan.as, 'as');
    if (plan.asAt !== null && !isTime(plan.asAt)) throw mistake('asAt');
    return;
  }
  if (!isDigest(plan.bytesDigest)) throw mistake('bytesDigest');
  checkContent(plan, description);
  if (!isSampleWritten) checkFingerprints(plan.content.sample);
}

function checkName(url: string, field: string): void {
  if (url !== '' && isPrintableAscii(url)) return;
  throw new ShingledError('invalid-url', 'A source is named by a normalised URL.', { field });
}

function checkContent({ content, receivedAt }: PutPlan, { indexModulusMax }: IndexDescription): void {
  const { id, shingleDigest, tokenCount, shingleCount, createdAt, sample } = content;
  if (!isDigest(id)) throw mistake('content.id');
  if (!isDigest(shingleDigest)) throw mistake('content.shingleDigest');
  if (!Number.isSafeInteger(tokenCount) || tokenCount < 0) throw mistake('content.tokenCount');
  if (!Number.isSafeInteger(shingleCount) || shingleCount < 0) throw mistake('content.shingleCount');
  if (createdAt !== receivedAt) throw mistake('content.createdAt');
  if (!isMainSound(content)) throw mistake('content.main');
  const { modulus } = sample;
  // a coarser sample could not say what was posted
  if (!(modulus >= 1 && modulus <= indexModulusFor(shingleCount, indexModulusMax))) {
    throw mistake('content.sample.modulus');
  }
  if (!Number.isInteger(Math.log2(modulus))) throw mistake('content.sample.modulus');
}

function isMainSound({ main, shingleCount, sample }: NewContent): boolean {
  if (main === null) return true;
  if (!isDigest(main.lexicalDigest) || !isPart(main.shingleCount, shingleCount)) return false;
  return main.bits.length === bitBytes(sample.fingerprints.length);
}

function checkFingerprints({ modulus, fingerprints }: Sample): void {
  const mask = modulus - 1;
  let last = -1;
  for (let i = 0; i < fingerprints.length; i++) {
    const value = fingerprints[i]!;
    const isWhole = value === Math.floor(value);
    if (!(isWhole && value > last && value < FINGERPRINTS) || (value & mask) !== 0) {
      throw mistake('content.sample.fingerprints');
    }
    last = value;
  }
}

function isPrintableAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/** Whether it is 32 lowercase hex digits. */
function isDigest(text: string): boolean {
  if (text.length !== 32) return false;
  for (let i = 0; i < 32; i++) {
    const code = text.charCodeAt(i);
    if (!((code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66))) return false;
  }
  return true;
}

const isTime = (ms: number) => Number.isSafeInteger(ms) && ms >= 0;

const mistake = (field: string) => new ShingledError('internal', `A write plan is malformed: ${field}.`, { field });
