import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/extract/charset/decode.ts';
import { guessCharset } from '../../../src/extract/charset/guess.ts';
import { encode } from '../../support/extract/encode.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'windows-1251': 'Съешь же ещё этих мягких французских булок, да выпей чаю. Широкая электрификация южных губерний.',
  'koi8-r': 'Съешь же ещё этих мягких французских булок, да выпей чаю. Широкая электрификация южных губерний.',
  gbk: '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。',
  big5: '人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神互相對待。',
  shift_jis: 'すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。',
  'euc-jp': 'すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。',
  'euc-kr':
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았다.',
  'windows-1253': 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.',
  'windows-1255': 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.',
  'windows-1256': 'يولد جميع الناس أحراراً متساوين في الكرامة والحقوق، وقد وهبوا عقلاً وضميراً.',
  'windows-874': 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ',
  'iso-8859-2':
    'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem.',
  'windows-1252':
    'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sollen einander im Geiste der Brüderlichkeit begegnen.',
};

describe('a guess', () => {
  it.each(Object.entries(TEXTS))('reads a text in %s, in a page with a script, too', (charset, text) => {
    const bytes = encode(text, charset);
    const sound = new TextDecoder(charset).decode(bytes);
    expect(Buffer.from(decodeText(bytes, 'plain', null).utf8).toString()).toBe(sound);
    const page = Buffer.concat([Buffer.from('<script>"\xe9\xe8\xe0"</SCRIPT><!-- \xe9 --><p>', 'latin1'), bytes]);
    expect(new TextDecoder(guessCharset(page, true, true)).decode(bytes)).toBe(sound);
  });

  it.each(['caf\xe9', 'na\xefve', 'El ni\xf1o', '20 \xb0C', '\xa9 2020', 'price \xa320', '\x93Well\x94, it\x92s so'])(
    'takes what proves little for windows-1252: %j',
    (text) => {
      expect(guessCharset(Buffer.from(text, 'latin1'), false, true)).toBe('windows-1252');
    },
  );

  it('takes time in proportion to a page, whatever tags it opens', () => {
    const opened = Buffer.from('<script><style><!--<SCRIPT </scrip'.repeat(20_000));
    expect(guessCharset(Buffer.concat([opened, Buffer.from([0xe9, 0xe8])]), true, true)).toBe('windows-1252');
  });
});

describe('bytes that are not what is declared', () => {
  const russian = encode(TEXTS['windows-1251']!, 'windows-1251');
  const page = Buffer.concat([Buffer.from('<meta charset=utf-8><p>'), russian]);

  it('are read by what they are', () => {
    const expected = { charset: 'windows-1251' };
    expect(decodeText(page, 'html', null)).toMatchObject(expected);
    expect(decodeText(russian, 'plain', 'utf-8')).toMatchObject(expected);
    expect(decodeText(Buffer.from(TEXTS['gbk']!), 'plain', 'shift_jis')).toMatchObject({ charset: 'utf-8' });
    expect(decodeText(Buffer.from('text of eight bits '.repeat(2)), 'plain', 'utf-16le')).toMatchObject({
      charset: 'utf-8',
    });
  });

  it('are read as declared where a few are damaged', () => {
    const damaged = Buffer.concat([Buffer.from('Grüße aus Köln '), Buffer.from([0xff, 0xfe])]);
    expect(decodeText(damaged, 'plain', 'utf-8').charset).toBe('utf-8');
  });
});

describe('a charset that is declared', () => {
  it.each([
    ['<title><meta charset=koi8-r></title>', 'koi8-r'],
    ['<script>"<meta charset=koi8-r>"</script>', 'koi8-r'],
    ['<!-- <meta charset=gbk> --><meta charset=koi8-r>', 'koi8-r'],
    ['<p title="<meta charset=gbk>"><meta charset=koi8-r>', 'koi8-r'],
  ])('is found where browsers find it: %s', (head, charset) => {
    expect(decodeText(Buffer.from(head), 'html', null).charset).toBe(charset);
  });
});
