import { useState } from 'preact/hooks';
import type { CollapsedMember, ShownGroup } from 'shingled/types';
import { typedKey } from '../../asking/typed-key.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { FirstRows, Limits } from '../../parts/outcome.tsx';
import { UrlText } from '../../parts/source-list.tsx';
import { count, counted, intervalOf, percentWithin } from '../../words/figures.ts';
import { type AskedResults, BY, URL_DIFFERENCES } from './asked-results.ts';
import { asCode, asCurl } from './collapse-code.ts';
import type { PastedPage } from './pasted-results.ts';

/** What is shown of a page of results, what stands behind each, and what a program sends and gets. */
export function CollapsedPage({ answer, request, page }: AskedResults) {
  const { groups, unknown, undecided, limits, complete, elapsedMs } = answer;
  const hidden = page.results.length - groups.length;
  return (
    <>
      <h2>
        {counted(page.results.length, 'result')}, {count(groups.length)} shown
      </h2>
      <p class="quiet">
        {hidden === 0 ? 'None is a copy of another' : `${count(hidden)} stand behind others`}. Answered in {elapsedMs}{' '}
        ms.
        {undecided.length > 0 &&
          ` Of ${count(undecided.length)} it is undecided: they stay apart by the estimate, and their interval reaches a threshold.`}
        {unknown.length > 0 && ` ${count(unknown.length)} could be compared by their URL alone.`}
        {!complete && ' Something may have been left out:'}
      </p>
      <Limits limits={limits} />
      <FirstRows rows={groups} name="groups">
        {(shown) => (
          <ol class="matches">
            {shown.map((group) => (
              <Group key={group.representative.result} group={group} page={page} />
            ))}
          </ol>
        )}
      </FirstRows>
      <Sent answer={answer} request={request} />
    </>
  );
}

interface GroupProps {
  readonly group: ShownGroup;
  readonly page: PastedPage;
}

function Group({ group: { representative, members, moreOfHost }, page }: GroupProps) {
  const more = moreOfHost.flatMap((group) => [group.representative, ...group.members]);
  return (
    <li class="match">
      <Result page={page} at={representative.result} isShown />
      {members.length > 0 && (
        <ul class="behind">
          {members.map((member) => (
            <li key={member.result}>
              <Result page={page} at={member.result} /> <span class="quiet">{becauseOf(member)}</span>
            </li>
          ))}
        </ul>
      )}
      {more.length > 0 && (
        <details>
          <summary>{count(more.length)} more of this host</summary>
          <ul class="behind">
            {more.map(({ result }) => (
              <li key={result}>
                <Result page={page} at={result} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function Result({
  page,
  at,
  isShown = false,
}: {
  readonly page: PastedPage;
  readonly at: number;
  readonly isShown?: boolean;
}) {
  const { title = '', url = null } = page.results[at] ?? {};
  const words = (
    <>
      <span class="quiet figures">{at + 1}</span> {title}
    </>
  );
  return (
    <>
      {isShown ? <h3>{words}</h3> : words} {url !== null && url !== title && <UrlText url={url} />}
    </>
  );
}

/** Why a result is behind another one, with the share that joined it, or what its URL differs by. */
function becauseOf(member: CollapsedMember): string {
  const { urlDiffersBy } = member;
  if (urlDiffersBy !== null && urlDiffersBy.length > 0) {
    return `the same URL but for ${urlDiffersBy.map((part) => URL_DIFFERENCES[part] ?? part).join(', ')}`;
  }
  const share =
    member.by === 'resemblance' || member.by === 'resultInRepresentative' || member.by === 'representativeInResult'
      ? member[member.by]
      : null;
  return share === null ? (BY[member.by] ?? member.by) : `${BY[member.by]}: ${percentWithin(intervalOf(share))}`;
}

function Sent({ answer, request }: Pick<AskedResults, 'answer' | 'request'>) {
  const [form, setForm] = useState<'curl' | 'code' | 'answer'>('curl');
  const at = new URL('collapse', location.href.replace(/#.*$/s, '')).href;
  const hasKey = typedKey() !== null;
  const texts = {
    curl: () => asCurl(at, request, hasKey),
    code: () => asCode(at, request, hasKey),
    answer: () => `${JSON.stringify(answer, null, 2)}\n`,
  };
  const names = [
    ['curl', 'as curl'],
    ['code', 'as JavaScript'],
    ['answer', 'the answer'],
  ] as const;
  return (
    <>
      <h2>What your program sends and gets</h2>
      <fieldset class="ways">
        <legend class="unseen">Form</legend>
        {names.map(([name, words]) => (
          <label key={name}>
            <input type="radio" name="sent" checked={form === name} onChange={() => setForm(name)} />
            {words}
          </label>
        ))}
        <CopyButton label="Copy" text={texts[form]} />
      </fieldset>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached by the keyboard */}
      <section class="sheet" tabIndex={0} aria-label="What is sent and answered">
        <pre>{texts[form]()}</pre>
      </section>
    </>
  );
}
