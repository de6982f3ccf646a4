import { canonicalTokens } from './canonical-text.ts';
import { referenceShingles } from './reference.ts';

/*
 * One text in twelve scripts, and ways to write the same letters otherwise: what docs/normalisation.md shows.
 */

/** Article 1 of the Universal Declaration of Human Rights, with letters that it lacks. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  Latin:
    'All human beings are born free and equal in dignity and rights. Die Straße führt zum großen Fluß, offene Pflichten find ich meist fern. Les êtres humains sont doués de raison et de conscience; ils doivent agir dans un esprit de fraternité.',
  Turkish:
    'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler. Dışişleri bakanlığı İstanbul.',
  Greek:
    'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.',
  Cyrillic:
    'Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства. Русский язык.',
  Arabic:
    'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء لا غير.',
  Hebrew:
    'כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה.',
  Devanagari:
    'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिये।',
  Thai: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ',
  Chinese:
    '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。人民日报说，一日之计在于晨，水火土木金。',
  Japanese:
    'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。テレビとラジオのガイドで、パンをタダで食べる株式会社。',
  Korean:
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.',
  Armenian:
    'Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ և իրավունքներով։ Նրանք ունեն բանականություն և խիղճ և պետք է միմյանց եղբայրաբար վերաբերվեն։',
};

interface Variant {
  /** The scripts whose text it changes. */
  readonly of: readonly string[];
  readonly write: (text: string) => string;
}

const ALL = Object.keys(SCRIPTS);
const CASED = ['Latin', 'Turkish', 'Greek', 'Cyrillic', 'Armenian'];
const UNSPACED = ['Thai', 'Chinese', 'Japanese'];
const COMPOSED = ['Latin', 'Turkish', 'Greek', 'Cyrillic', 'Arabic', 'Japanese', 'Korean'];

/** Replaces what stands in a list of pairs. */
const replacing = (pairs: Readonly<Record<string, string>>) => (text: string) =>
  Object.entries(pairs).reduce((written, [plain, other]) => written.replaceAll(plain, other), text);

/** Characters of ranges that stand for letters, by what they stand for. */
function standingFor(...ranges: readonly (readonly [number, number])[]): (text: string) => string {
  const forms = new Map<string, string>();
  for (const [first, last] of ranges) {
    for (let code = first; code <= last; code++) {
      const form = String.fromCodePoint(code);
      const plain = form.normalize('NFKC');
      if (plain !== form && [...plain].length === 1) forms.set(plain, form);
    }
  }
  return (text) => Array.from(text, (character) => forms.get(character) ?? character).join('');
}

/** Lines of so many characters, cut as they come. */
const wrapped = (length: number) => (text: string) =>
  (text.match(new RegExp(`.{1,${length}}`, 'gsu')) ?? []).join('\n');

/** Hyphens at line ends in every sixth long word. */
function hyphenated(text: string): string {
  let words = 0;
  return text.replaceAll(/(\p{L}\p{M}*){7,}/gu, (word) =>
    words++ % 6 === 0 && !/^\p{Lu}/u.test(word) ? `${word.slice(0, 4)}-\n${word.slice(4)}` : word,
  );
}

export const VARIANTS: Readonly<Record<string, Variant>> = {
  'NFD instead of NFC': { of: COMPOSED, write: (text) => text.normalize('NFD') },
  'upper case': {
    of: CASED,
    write: (text) => text.toLocaleUpperCase(text.startsWith('Bütün') ? 'tr' : 'und'),
  },
  ligatures: {
    of: ['Latin', 'Turkish', 'Armenian'],
    write: replacing({ ff: 'ﬀ', fi: 'ﬁ', fl: 'ﬂ', st: 'ﬆ', եւ: 'և', և: 'եւ' }),
  },
  'full width': { of: ['Latin', 'Turkish'], write: standingFor([0xff01, 0xff5e]) },
  'half width': { of: ['Japanese'], write: (text) => standingFor([0xff66, 0xff9f])(text.normalize('NFD')) },
  'presentation forms': { of: ['Arabic', 'Hebrew'], write: standingFor([0xfb1d, 0xfb4f], [0xfe80, 0xfefc]) },
  radicals: { of: ['Chinese'], write: standingFor([0x2f00, 0x2fd5]) },
  'compatibility jamo': { of: ['Korean'], write: (text) => text.replaceAll('그', 'ㄱㅡ') },
  'mathematical letters': { of: ['Latin', 'Turkish'], write: standingFor([0x1d400, 0x1d433]) },
  tatweel: { of: ['Arabic'], write: (text) => text.replaceAll(/(?<=[بتسيعم])(?=[\u0621-\u064a])/gu, 'ـ') },
  'vowel signs': {
    of: ['Arabic', 'Hebrew'],
    write: (text) => text.replaceAll(/[\u0628-\u064a]/gu, '$&\u064e').replaceAll(/[א-ת]/gu, '$&\u05b8'),
  },
  'what nobody sees': { of: ALL, write: (text) => text.replaceAll(/(?<=\p{L}\p{M}*)(?=\p{L})/gu, '\u200b') },
  'lines of 36 characters': { of: UNSPACED, write: wrapped(36) },
  'hyphens at line ends': {
    of: ['Latin', 'Turkish', 'Greek', 'Cyrillic', 'Armenian'],
    write: (text) => hyphenated(text.normalize('NFC')),
  },
};

const SHINGLE_SIZE = 7;

/** How alike a text is to itself as it is written otherwise, by shingles of seven tokens. */
function likeness(text: string, written: string): string {
  const [a, b] = [text, written].map((one) => referenceShingles(canonicalTokens(Buffer.from(one)), SHINGLE_SIZE));
  const shared = [...a!].filter((shingle) => b!.has(shingle)).length;
  return (shared / (a!.size + b!.size - shared)).toFixed(2);
}

/** The table of docs/normalisation.md. */
export function variantsTable(): string {
  const rows = Object.entries(VARIANTS).map(([name, { of, write }]) => [
    name,
    ...ALL.map((script) => (of.includes(script) ? likeness(SCRIPTS[script]!, write(SCRIPTS[script]!)) : '')),
  ]);
  return [['', ...ALL], ['---', ...ALL.map(() => '--:')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
