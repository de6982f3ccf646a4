/* What the index knows where the page is looked at: real texts, as several hands wrote them down, at made-up URLs. */

export interface KnownLine {
  readonly op: 'put' | 'gone';
  readonly url: string;
  readonly text?: string;
  readonly html?: string;
  readonly observedAt?: string;
  readonly status?: number;
}

/** The Gettysburg Address in the five copies of Lincoln's hand: the same speech, and no two are equal. */
const COPIES: Readonly<Record<string, string>> = {
  nicolay: `Four score and seven years ago our fathers brought forth, upon this continent, a new nation, conceived in liberty, and dedicated to the proposition that "all men are created equal". Now we are engaged in a great civil war, testing whether that nation, or any nation so conceived, and so dedicated, can long endure. We are met on a great battle field of that war. We have come to dedicate a portion of it, as a final resting place for those who died here, that the nation might live. This we may, in all propriety do. But, in a larger sense, we can not dedicate - we can not consecrate - we can not hallow, this ground. The brave men, living and dead, who struggled here, have hallowed it, far above our poor power to add or detract. The world will little note, nor long remember what we say here; while it can never forget what they did here.`,
  hay: `Four score and seven years ago our fathers brought forth, upon this continent, a new nation, conceived in Liberty, and dedicated to the proposition that all men are created equal. Now we are engaged in a great civil war, testing whether that nation, or any nation so conceived, and so dedicated, can long endure. We are met here on a great battlefield of that war. We have come to dedicate a portion of it, as a final resting place for those who here gave their lives that that nation might live. It is altogether fitting and proper that we should do this. But in a larger sense we can not dedicate - we can not consecrate - we can not hallow this ground. The brave men, living and dead, who struggled here, have consecrated it far above our poor power to add or detract. The world will little note, nor long remember, what we say here, but can never forget what they did here.`,
  everett: `Four score and seven years ago our fathers brought forth upon this continent, a new nation, conceived in Liberty, and dedicated to the proposition that all men are created equal. Now we are engaged in a great civil war, testing whether that nation, or any nation so conceived, and so dedicated, can long endure. We are met on a great battle-field of that war. We have come to dedicate a portion of that field, as a final resting-place for those who here gave their lives, that that nation might live. It is altogether fitting and proper that we should do this. But, in a larger sense, we can not dedicate, we can not consecrate, we can not hallow this ground. The brave men, living and dead, who struggled here, have consecrated it, far above our poor power to add or detract. The world will little note, nor long remember, what we say here, but it can never forget what they did here.`,
  bancroft: `Four score and seven years ago our fathers brought forth, on this continent, a new nation, conceived in Liberty, and dedicated to the proposition that all men are created equal. Now we are engaged in a great civil war, testing whether that nation, or any nation so conceived, and so dedicated, can long endure. We are met on a great battle-field of that war. We have come to dedicate a portion of that field, as a final resting-place for those who here gave their lives, that that nation might live. It is altogether fitting and proper that we should do this. But, in a larger sense, we can not dedicate, we can not consecrate, we can not hallow this ground. The brave men, living and dead, who struggled here, have consecrated it far above our poor power to add or detract. The world will little note, nor long remember what we say here, but it can never forget what they did here.`,
  bliss: `Four score and seven years ago our fathers brought forth on this continent, a new nation, conceived in Liberty, and dedicated to the proposition that all men are created equal. Now we are engaged in a great civil war, testing whether that nation, or any nation so conceived and so dedicated, can long endure. We are met on a great battle-field of that war. We have come to dedicate a portion of that field, as a final resting place for those who here gave their lives that that nation might live. It is altogether fitting and proper that we should do this. But, in a larger sense, we can not dedicate -- we can not consecrate -- we can not hallow -- this ground. The brave men, living and dead, who struggled here, have consecrated it, far above our poor power to add or detract. The world will little note, nor long remember what we say here, but it can never forget what they did here.`,
};

/** The last copy. */
export const BLISS = COPIES['bliss']!;
export const DRAFT = `We hold these truths to be sacred & undeniable; that all men are created equal & independant, that from that equal creation they derive rights inherent & inalienable, among which are the preservation of life, & liberty, & the pursuit of happiness; that to secure these ends, governments are instituted among men, deriving their just powers from the consent of the governed;`;
export const FINAL = `We hold these truths to be self-evident, that all men are created equal, that they are endowed by their Creator with certain unalienable Rights, that among these are Life, Liberty and the pursuit of Happiness. That to secure these rights, Governments are instituted among Men, deriving their just powers from the consent of the governed.`;
const DOUGLASS = `What, to the American slave, is your 4th of July? I answer: a day that reveals to him, more than all other days in the year, the gross injustice and cruelty to which he is the constant victim. To him, your celebration is a sham; your boasted liberty, an unholy license; your national greatness, swelling vanity; your sounds of rejoicing are empty and heartless; your denunciations of tyrants, brass fronted impudence; your shouts of liberty and equality, hollow mockery.`;

/** An article that is sewn together from two speeches, with words of its own between them. */
export const ARTICLE = `Two sentences are known to everybody here. ${FINAL} The other came four score and seven years later: ${BLISS.slice(-487)} What neither of them says is who was left out of it, who wrote it down, and for how long everybody looked the other way while it was read aloud on every holiday of the year.`;

export const FAMILY = 'https://library.example/bliss';
export const MOVED = 'https://speech.example/july';

/** In the order of time. */
export const KNOWN: readonly KnownLine[] = [
  put('https://papers.example/nicolay', COPIES['nicolay']!, '2023-02-11'),
  put('https://papers.example/hay', COPIES['hay']!, '2023-02-12'),
  put('https://orator.example/everett.html', COPIES['everett']!, '2023-06-30'),
  put('https://history.example/bancroft', COPIES['bancroft']!, '2024-01-09'),
  put(FAMILY, BLISS, '2024-03-19'),
  put('https://mirror.example/bliss', BLISS, '2024-11-02'),
  put('https://archive.example/declaration', FINAL, '2024-07-04'),
  put(MOVED, DOUGLASS, '2024-07-05'),
  put(MOVED, DOUGLASS.replace('the gross injustice and cruelty', 'the great injustice and the cruelty'), '2024-09-05'),
  put(
    MOVED,
    `(${DOUGLASS.replace('the gross injustice and cruelty', 'the great injustice and the cruelty')})`,
    '2024-10-05',
  ),
  { op: 'gone', url: MOVED, status: 404, observedAt: '2025-01-05T09:00:00Z' },
  put('https://speech.example/douglass/1852', DOUGLASS, '2025-02-05'),
];

/** As HTML has it: the text has markup in it. */
const HOSTILE_TEXT =
  'Once there was a page whose every word was weighed so that whoever looked at it would let it do what it liked: &lt;img src=x onerror=alert(3)&gt; it said, and &lt;script&gt;alert(4)&lt;/script&gt; it said again, and nobody who looked at it saw more than that.';

/** A query that finds what means harm. */
export const HOSTILE_QUERY = HOSTILE_TEXT.replaceAll('&lt;', '<').replaceAll('&gt;', '>');

/** What a page in the index may be called by somebody who means harm. */
export const HOSTILE: readonly KnownLine[] = [
  'https://evil.example/"onmouseover="alert(1)"<img src=x onerror=alert(1)>',
  'https://evil.example/?q=%3Csvg%2Fonload%3Dalert(1)%3E#:~:text=x',
  'urn:x:%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
].map((url, at) => ({
  ...{ op: 'put', url, observedAt: `2025-03-0${at + 1}T09:00:00Z` },
  html: `<title>&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;alert(2)&lt;/script&gt; ${at}</title><p>${HOSTILE_TEXT}</p>`,
}));

function put(url: string, text: string, day: string): KnownLine {
  return { op: 'put', url, text, observedAt: `${day}T09:00:00Z` };
}
