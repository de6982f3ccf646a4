import { useState } from 'preact/hooks';
import { count, days } from '../words/figures.ts';
import { hrefOf } from '../words/safe-link.ts';
import { stateWords } from '../words/sentences.ts';

/** A URL: a link where it is http or https, else text. Whatever it holds, it is never markup. */
export function UrlText({ url, link }: { readonly url: string; readonly link?: string | null }) {
  const href = hrefOf(link ?? url);
  if (href === null) return <span class="url">{url}</span>;
  return (
    <a class="url" href={href} rel="noreferrer noopener external" target="_blank">
      {url}
    </a>
  );
}

interface SourceLike {
  readonly url: string;
  readonly state: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly identical?: boolean;
}

const SHOWN = 3;

interface Props {
  readonly sources: readonly SourceLike[];
  /** How many there are, and whether there are more than that. */
  readonly total: number;
  readonly isMore?: boolean | undefined;
}

/** The URLs that say a content, with when they were seen; the first few, and the others on demand. */
export function SourceList({ sources, total, isMore = false }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? sources : sources.slice(0, SHOWN);
  return (
    <>
      <ul class="sources">
        {shown.map(({ url, state, firstSeen, lastSeen, identical }) => (
          <li key={`${url} ${state}`}>
            <UrlText url={url} /> <span class="quiet figures">{days(firstSeen, lastSeen)}</span>
            {stateWords(state) !== null && <span class={`tag tag-${state}`}>{stateWords(state)}</span>}
            {identical === true && <span class="tag">same bytes</span>}
          </li>
        ))}
      </ul>
      {shown.length < sources.length && (
        <button type="button" class="plain" onClick={() => setAll(true)}>
          {count(sources.length - shown.length)} more
        </button>
      )}
      {shown.length === sources.length && total > sources.length && (
        <p class="quiet">
          and {isMore && 'at least '}
          {count(total - sources.length)} more that are not listed here
        </p>
      )}
    </>
  );
}
