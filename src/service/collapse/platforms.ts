import { type PlatformUrl, parameterOf, without } from './platform-url.ts';

/*
 * URLs that a platform itself has for one page: its mobile and old hosts, its short links, its parameters that say where a
 * link was followed. Only what the platform redirects, or serves alike, is here; for any other host nothing is assumed.
 *
 *   youtu.be/ID?si=x     m.youtube.com/watch?v=ID&t=9     youtube.com/shorts/ID      ->  youtube.com/watch?v=ID
 *   en.m.wikipedia.org/wiki/X                                                        ->  en.wikipedia.org/wiki/X
 *
 * It is a table of our own. The kept lists (ClearURLs, adblock's removeparam, tidy-url) clean a link for somebody who follows
 * it. There a parameter too many does no harm: they drop `p` of a page, `s` and `keywords` of a search. Here it would hide
 * a page behind another one.
 */

interface Platform {
  readonly name: string;
  readonly hosts: RegExp;
  readonly page: (url: PlatformUrl) => PlatformUrl;
}

const WIKIS = 'wikipedia|wiktionary|wikibooks|wikiquote|wikisource|wikinews|wikiversity|wikivoyage|wikimedia|wikidata';
const CHINESE_VARIANTS = /^\/zh(?:-(?:cn|tw|hk|mo|my|sg|hans|hant))?\//;

/** In the order of how often they are in results. */
const PLATFORMS: readonly Platform[] = [
  {
    name: 'youtube',
    hosts: /^(?:m\.|music\.)?youtube\.com$|^youtu\.be$|^youtube-nocookie\.com$/,
    page: (url) => {
      if (url.host === 'music.youtube.com') return url;
      const fromPath = url.host === 'youtu.be' ? /^\/([\w-]{11})$/ : /^\/(?:shorts|embed|live|v)\/([\w-]{11})$/;
      const id = fromPath.exec(url.path)?.[1] ?? (url.path === '/watch' ? parameterOf(url, 'v') : undefined);
      if (id !== undefined) return { host: 'youtube.com', path: '/watch', parameters: [`v=${id}`] };
      return without({ ...url, host: url.host.replace(/^m\./, '') }, ['feature', 'si', 'pp', 'app', 'ab_channel']);
    },
  },
  {
    name: 'wikimedia',
    hosts: new RegExp(`^(?:[a-z-]+\\.)?(?:m\\.)?(?:${WIKIS})\\.org$`),
    page: (url) => {
      const host = url.host.replace(/(^|\.)m\./, '$1');
      const path = host.startsWith('zh.') ? url.path.replace(CHINESE_VARIANTS, '/wiki/') : url.path;
      const title = path === '/w/index.php' && url.parameters.length === 1 ? parameterOf(url, 'title') : undefined;
      if (title !== undefined) return { host, path: `/wiki/${title}`, parameters: [] };
      return without({ ...url, host, path }, ['wprov', 'oldformat', 'useskin', 'mobileaction']);
    },
  },
  {
    name: 'reddit',
    hosts: /^(?:(?:old|new|np|m|i|amp|sh)\.)?reddit\.com$|^redd\.it$/,
    page: (url) => {
      const post = /^(?:\/r\/[^/]+|\/user\/[^/]+)?\/comments\/(\w+)(?:\/[^/]*(?:\/(\w+))?)?$/.exec(url.path);
      const short = url.host === 'redd.it' ? /^\/(\w+)$/.exec(url.path) : null;
      const id = post?.[1] ?? short?.[1];
      const host = 'reddit.com';
      if (id !== undefined) {
        const comment = post?.[2] === undefined ? '' : `/_/${post[2]}`;
        return { host, path: `/comments/${id}${comment}`, parameters: [] };
      }
      if (url.host === 'redd.it') return url;
      return without({ ...url, host }, ['ref', 'ref_source', 'ref_campaign', 'share_id', 'rdt']);
    },
  },
  {
    name: 'x',
    hosts: /^(?:(?:mobile|m)\.)?(?:twitter|x)\.com$/,
    page: (url) => {
      const id = /^\/(?:i\/web|i|\w+)\/status\/(\d+)(?:\/(?:photo|video)\/\d)?$/.exec(url.path)?.[1];
      if (id !== undefined) return { host: 'x.com', path: `/i/status/${id}`, parameters: [] };
      return without({ ...url, host: 'x.com' }, ['s', 't', 'src', 'ref_src', 'ref_url']);
    },
  },
  {
    name: 'facebook',
    hosts: /^(?:(?:m|mbasic|touch|web|[a-z]{2}-[a-z]{2})\.)?facebook\.com$/,
    page: (url) =>
      without({ ...url, host: 'facebook.com' }, [
        ...[
          'ref',
          'refsrc',
          'refid',
          '__tn__',
          '__xts__',
          'fref',
          'hc_ref',
          'mibextid',
          'rdid',
          'paipv',
          '_rdr',
          'wtsid',
        ],
        ...['__cft__[0]', '__eep__'],
      ]),
  },
  {
    name: 'instagram',
    hosts: /^instagram\.com$/,
    page: (url) => {
      const id = /^(?:\/[\w.]+)?\/(?:p|reel|reels|tv)\/([\w-]+)$/.exec(url.path)?.[1];
      return id === undefined ? url : { ...url, path: `/p/${id}`, parameters: [] };
    },
  },
  {
    name: 'amazon',
    hosts:
      /^(?:smile\.|m\.)?amazon\.(?:com|ca|in|de|fr|it|es|nl|se|pl|ae|sa|sg|eg|co\.uk|co\.jp|com\.(?:br|mx|au|be|tr))$/,
    page: (url) => {
      const host = url.host.replace(/^(?:smile|m)\./, '');
      const product = /\/(?:dp|gp\/product|gp\/aw\/d)\/([A-Z0-9]{10})(?:\/|$)/.exec(url.path)?.[1];
      return product === undefined ? { ...url, host } : { host, path: `/dp/${product}`, parameters: [] };
    },
  },
  {
    name: 'ebay',
    hosts: /^(?:m\.)?ebay\.(?:com|de|fr|it|es|nl|pl|ca|at|ch|ie|co\.uk|com\.au)$/,
    page: (url) => {
      const item = /^\/itm\/(?:[^/]+\/)?(\d{9,})$/.exec(url.path)?.[1];
      const variant = url.parameters.filter((parameter) => parameter.startsWith('var='));
      const host = url.host.replace(/^m\./, '');
      return item === undefined ? { ...url, host } : { host, path: `/itm/${item}`, parameters: variant };
    },
  },
  {
    name: 'alibaba',
    hosts: /(?:^|\.)(?:taobao|tmall|1688|alibaba|aliexpress|aliyun|alibabacloud|fliggy)\.(?:com|us)$/,
    page: (url) =>
      without({ ...url, host: url.host.replace(/^m\.(?=aliexpress)/, '') }, [
        ...['spm', 'scm', 'scm_id', 'pvid', 'gps-id', 'algo_pvid', 'algo_exp_id', 'algo_expid', 'btsid', 'ws_ab_test'],
        ...['pdp_npi', 'pdp_ext_f', 'utparam', 'ali_refid', 'ali_trackid', 'ns', 'abbucket', 'curPageLogUid'],
      ]),
  },
  {
    name: 'stack-exchange',
    hosts:
      /^(?:stackoverflow|serverfault|superuser|askubuntu|[a-z]+\.stackexchange|(?:es|pt|ru|ja)\.stackoverflow)\.com$/,
    page: (url) => {
      const question = /^\/(?:q|questions)\/(\d+)(?:\/.*)?$/.exec(url.path)?.[1];
      const parameters = url.parameters.filter((parameter) => parameter.startsWith('page='));
      return question === undefined ? url : { ...url, path: `/questions/${question}`, parameters };
    },
  },
  {
    name: 'github',
    hosts: /^github\.com$/,
    page: (url) => {
      const isRepository = /^\/[^/]+\/[^/]+$/.test(url.path);
      const plain = without(url, ['ref', 'source'], isRepository);
      return { ...plain, parameters: plain.parameters.filter((parameter) => parameter !== 'tab=readme-ov-file') };
    },
  },
  {
    name: 'linkedin',
    hosts: /^(?:[a-z]{2}\.|m\.)?linkedin\.com$/,
    page: (url) =>
      without({ ...url, host: 'linkedin.com' }, ['trk', 'trackingId', 'refId', 'originalSubdomain', 'lipi']),
  },
  { name: 'vk', hosts: /^(?:m\.)?vk\.(?:com|ru)$/, page: (url) => ({ ...url, host: 'vk.com' }) },
  {
    name: 'ok',
    hosts: /^(?:m\.)?ok\.ru$/,
    page: (url) => ({
      ...url,
      host: 'ok.ru',
      parameters: url.parameters.filter((parameter) => !parameter.startsWith('st.') && !parameter.startsWith('_')),
    }),
  },
  {
    name: 'bilibili',
    hosts: /^(?:m\.)?bilibili\.com$/,
    page: (url) =>
      without({ ...url, host: 'bilibili.com' }, [
        ...['spm_id_from', 'from_spmid', 'vd_source', 'share_source', 'share_medium', 'share_plat', 'from', 'seid'],
      ]),
  },
  {
    name: 'douban',
    hosts: /^(?:m|movie|book|music)\.douban\.com$/,
    page: (url) => {
      const [, kind, rest] = /^\/(movie|book|music)(\/subject\/\d+)$/.exec(url.path) ?? [];
      return url.host === 'm.douban.com' && kind !== undefined
        ? { ...url, host: `${kind}.douban.com`, path: rest! }
        : without(url, ['from', 'dt_dapp']);
    },
  },
  { name: 'naver', hosts: /^(?:m\.)?blog\.naver\.com$/, page: (url) => ({ ...url, host: 'blog.naver.com' }) },
  {
    name: 'imdb',
    hosts: /^(?:m\.)?imdb\.com$/,
    page: (url) => without({ ...url, host: 'imdb.com' }, ['ref_', 'ref', 'rf', 'pf_rd_m', 'pf_rd_p', 'pf_rd_r']),
  },
  { name: 'spotify', hosts: /^open\.spotify\.com$/, page: (url) => without(url, ['si', 'context', 'nd', 'sp_cid']) },
  { name: 'soundcloud', hosts: /^(?:m\.)?soundcloud\.com$/, page: (url) => ({ ...url, host: 'soundcloud.com' }) },
  { name: 'etsy', hosts: /^etsy\.com$/, page: (url) => without(url, ['ref', 'click_key', 'click_sum', 'frs', 'sts']) },
  { name: 'doi', hosts: /^(?:dx\.)?doi\.org$/, page: (url) => ({ ...url, host: 'doi.org' }) },
  { name: 'the-guardian', hosts: /^(?:amp\.)?theguardian\.com$/, page: (url) => ({ ...url, host: 'theguardian.com' }) },
];

/** Names of the platforms, as answers and docs tell them. */
export const PLATFORM_NAMES: readonly string[] = PLATFORMS.map(({ name }) => name);

/** The last two labels of hosts that may be of a platform: nearly all others are told by one look-up. */
const LIKELY = new Set(
  [
    ...[
      'youtube.com',
      'youtu.be',
      'youtube-nocookie.com',
      'reddit.com',
      'redd.it',
      'twitter.com',
      'x.com',
      'facebook.com',
    ],
    ...['instagram.com', 'taobao.com', 'tmall.com', '1688.com', 'alibaba.com', 'aliexpress.com', 'aliexpress.us'],
    ...['aliyun.com', 'alibabacloud.com', 'fliggy.com', 'stackoverflow.com', 'serverfault.com', 'superuser.com'],
    ...['askubuntu.com', 'stackexchange.com', 'github.com', 'linkedin.com', 'vk.com', 'vk.ru', 'ok.ru', 'bilibili.com'],
    ...[
      'douban.com',
      'naver.com',
      'imdb.com',
      'spotify.com',
      'soundcloud.com',
      'etsy.com',
      'doi.org',
      'theguardian.com',
    ],
    ...WIKIS.split('|').map((wiki) => `${wiki}.org`),
  ].values(),
);
const SHOPS = /(?:^|\.)(?:amazon|ebay)\./;

/** The platform of a host, and its page in the platform's own spelling; null where the host is of none. */
export function platformPage(url: PlatformUrl): { readonly platform: string; readonly page: PlatformUrl } | null {
  const { host } = url;
  const second = host.lastIndexOf('.', host.lastIndexOf('.') - 1);
  if (!LIKELY.has(host.slice(second + 1)) && !SHOPS.test(host)) return null;
  const found = PLATFORMS.find(({ hosts }) => hosts.test(host));
  return found === undefined ? null : { platform: found.name, page: found.page(url) };
}
