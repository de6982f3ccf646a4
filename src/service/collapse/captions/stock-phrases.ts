/*
 * What stands in the place of a snippet or title where a search engine could not read the page, or where the page shows the
 * same to everybody. It does not say which page it is. Only short texts are taken for it: an article about cookies is one.
 */

/** "Just a moment...", "会員ログイン" in pairs of letters. A longer title is of an article about such things. */
const TITLE_WORDS_MAX = 6;

interface StockPhrase {
  /** A text of more words says something beside it. */
  readonly wordsMax: number;
  readonly pattern: RegExp;
}

const any = (...alternatives: readonly string[]) => new RegExp(alternatives.join('|'), 'iu');

const SCRIPT = '(?:java ?script|джава-?скрипт|جافا ?سكريبت|جاوا ?اسکریپت|जावा ?स्क्रिप्ट|자바 ?스크립트)';
const ENABLED = `(?:${[
  ...[
    'enabl',
    'turn(?:ed)? on',
    'disabled',
    'requires?\\b',
    '\\bneeds?\\b',
    'activ',
    'aktivier',
    'deaktiviert',
    'benötig',
  ],
  ...[
    'désactiv',
    'habilit',
    'ative',
    'включ',
    'отключ',
    'تفعيل',
    'فعال',
    'सक्षम',
    'चालू',
    '启用',
    '啟用',
    '开启',
    '開啟',
    '有効',
    '활성',
  ],
].join('|')})`;

const STOCK_PHRASES: readonly StockPhrase[] = [
  {
    wordsMax: 40,
    pattern: any(`${SCRIPT}.{0,60}${ENABLED}`, `${ENABLED}.{0,60}${SCRIPT}`),
  },
  {
    wordsMax: 40,
    pattern: any(
      ...[
        '(?:accept|agree|consent|use|using|uses|allow).{0,40}\\bcookies?\\b',
        '\\bcookies?\\b.{0,60}(?:accept|agree|consent|setting)',
      ],
      ...['cookies?\\b.{0,80}(?:zustimm|akzept|verwend|einwillig)', '(?:verwend|nutz|akzept|setz).{0,40}cookies?\\b'],
      ...[
        '(?:utilis|utiliz|accept|acept|aceit|usa|uso).{0,40}\\bcookies?\\b',
        '\\bcookies?\\b.{0,80}(?:accept|acept|aceit)',
      ],
      ...['(?:использу|примен|соглас|файл).{0,40}(?:cookie|куки)', 'ملفات تعريف الارتباط', 'कुकी(?:ज़|ज|)', '쿠키'],
      ...['(?:使用|接受|同意).{0,12}cookie', 'cookie.{0,20}(?:使用|接受|同意|を使用|を利用)', 'クッキー'],
    ),
  },
  {
    wordsMax: 16,
    pattern: any(
      ...[
        '\\blog ?in\\b',
        '\\bsign ?in\\b',
        '\\bsign ?up\\b',
        '\\bcreate an account\\b',
        'anmelden',
        'einloggen',
        'registrieren sie',
      ],
      ...[
        'connectez-vous',
        'identifiez-vous',
        'inicia(?:r)? sesi[oó]n',
        'reg[ií]strate',
        'faça login',
        'iniciar sessão',
      ],
      ...['crie uma conta', 'entre no', 'войдите', 'авторизуйтесь', 'зарегистрируйтесь', 'سجل الدخول', 'تسجيل الدخول'],
      ...['登录', '登入', '注册', 'ログイン', '会員登録', 'लॉग ?इन', 'साइन ?इन', '로그인'],
    ),
  },
  {
    wordsMax: 40,
    pattern: any(
      ...[
        'robots\\.txt',
        'would like to show you a description',
        'description (?:for this result )?is(?: not|n.t) available',
      ],
      ...[
        'no description (?:is )?available',
        'keine (?:beschreibung|informationen) verf[uü]gbar',
        'aucune information',
      ],
      ...[
        'no (?:hay|tenemos) (?:información|una descripción)',
        'описание недоступно',
        '没有.{0,6}描述',
        '説明がありません',
      ],
    ),
  },
  {
    wordsMax: 25,
    pattern: any(
      ...[
        'just a moment',
        'checking your browser',
        'verify (?:that )?you are (?:a )?human',
        'are you a (?:robot|human)',
        'captcha',
      ],
      ...[
        'access (?:to this page )?(?:is |has been )?denied',
        '^attention required',
        '\\b(?:403|404|500|502|503)\\b.{0,12}(?:forbidden|not found|error|bad gateway|unavailable)',
      ],
      ...[
        'page not found',
        'seite nicht gefunden',
        'page introuvable',
        'página no encontrada',
        'página não encontrada',
      ],
      ...['страница не найдена', 'الصفحة غير موجودة', '页面不存在', 'ページが見つかりません', 'पृष्ठ नहीं मिला'],
    ),
  },
  { wordsMax: 14, pattern: any('^(?:loading|laden|chargement|cargando|carregando|загрузка|加载中|読み込み中)\\W*$') },
  {
    wordsMax: 30,
    pattern: any(
      ...['(?:enjoy|share) .{0,20}(?:videos|photos) .{0,30}(?:you love|with friends)', 'share it all with friends'],
      ...[
        'videos und erstklassige musik',
        'vidéos et la musique',
        'vídeos y la música que te',
        'vídeos e músicas que você',
      ],
    ),
  },
];

/** @param wordCount words of the text in the canonical form */
export function isStockSnippet(text: string, wordCount: number): boolean {
  return STOCK_PHRASES.some(({ wordsMax, pattern }) => wordCount <= wordsMax && pattern.test(text));
}

/** @param wordCount words of the text in the canonical form */
export function isStockTitle(text: string, wordCount: number): boolean {
  return wordCount <= TITLE_WORDS_MAX && isStockSnippet(text, wordCount);
}
