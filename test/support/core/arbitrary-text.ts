import fc from 'fast-check';

/** Every character that has been given a meaning, if only that nobody is to see it; ASCII in front. */
export const ASSIGNED = Array.from({ length: 0xe_1000 }, (_, code) => code)
  .filter((code) => (code < 0xd800 || code > 0xdfff) && (code < 0x3_4000 || code >= 0xe_0000))
  .map((code) => String.fromCodePoint(code))
  .filter((one) => !/\p{Cn}/u.test(one) || /\p{Default_Ignorable_Code_Point}/u.test(one));

/** Characters of every sort that matters, the rare ones often. */
const CHARACTERS = [
  ...'aZ9éÉßẞſKÅİıǰJςΣᾳᾼΐẛ \n.,=<≠_-\0\u00ad',
  ...'\u0301\u0323\u0302\u0308\u030c\u0338\u0345\u0327\u093c\u094d\u0653\u05bc\u0344\u20e3',
  ...'\u034f\ufe0f\u200b\u200c\u200d\u3164\u115f\u{e0100}\u061c',
  ...'東京都〇々ーアかがｶﾞ\u3099\u309a、　กิาำไ๕ກက္ខ្',
  ...'한글ㄅ\u1112\u1161\u11ab\u0915\u0958\ufb2a\u0f43\u2adc𝅘𝅥𝅮𐐀𐐨𑄮\u{1d15e}\u{2f800}Ꭰꭰ\u212a\ud800\udc00',
];
const character = fc.oneof(fc.constantFrom(...CHARACTERS), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }));
export const anyText = fc.array(character, { maxLength: 40 }).map((characters) => characters.join(''));
/** What the oracle can be asked: it does not cut runs of marks. */
export const fewMarks = anyText.filter(
  (one) => !/(?:\p{M}\p{Default_Ignorable_Code_Point}*){25}/u.test(one.toWellFormed().normalize('NFD')),
);
