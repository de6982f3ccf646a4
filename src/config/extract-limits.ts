import { DEFAULT_EXTRACT_LIMITS, type ExtractLimits } from '../extract/limits.ts';
import { limitSettings, row } from './limit-settings.ts';

const MIB = 2 ** 20;

/** What turning bytes into text may cost. */
export const extractLimitSettings = limitSettings<'EXTRACT_', ExtractLimits>('EXTRACT_', DEFAULT_EXTRACT_LIMITS, {
  documentBytesMax: row(
    1024,
    512 * MIB,
    'Bytes of one document before it is decoded.',
    'The largest page of three real manuals is 1.6 MB.',
  ),
  textBytesMax: row(
    1024,
    1024 * MIB,
    'Bytes of the text of one document as UTF-8.',
    'A byte of an old charset becomes up to three.',
  ),
  depthMax: row(
    8,
    100_000,
    'Elements inside one another, where `select` or `remove` need a tree.',
    'What browsers allow; real pages stay under 30.',
  ),
  nodesMax: row(
    100,
    100_000_000,
    'Elements and comments of that tree; attributes and texts count a quarter.',
    'Keeps the memory of a worker under its limit.',
  ),
  selectorCharactersMax: row(1, 100_000, 'Characters of a CSS selector.', 'People write under a hundred.'),
});
