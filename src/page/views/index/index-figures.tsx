import { useMemo } from 'preact/hooks';
import type { IndexAnswer } from 'shingled/types';
import { type Column, Table } from '../../parts/table.tsx';
import { bytes, count, duration, minute, percent } from '../../words/figures.ts';
import type { AskedFigures } from './asked-index.ts';
import { grown, noteGrowth } from './growth.ts';

interface Props extends AskedFigures {
  readonly onAgain: () => void;
}

/** The figures of an index, and whether it is well. */
export function IndexFigures({ stats, ready, onAgain }: Props) {
  const { sources, contents, postings, diskBytes, freeBytes, uptimeS, createdAt, index, version, shingleSize } = stats;
  const now = useMemo(() => ({ atMs: Date.now(), sources, contents }), [stats]);
  const first = useMemo(() => noteGrowth(createdAt, now), [now]);
  return (
    <>
      <p class="health">
        <Health stats={stats} ready={ready} /> shingled {version}, up for {duration(uptimeS)}; the index was made{' '}
        {minute(createdAt)} UTC, of runs of {shingleSize} words.{' '}
        <button type="button" class="plain" onClick={onAgain}>
          Look again
        </button>
      </p>
      <dl class="figures-list">
        <Figure name="URLs" value={count(sources)} />
        <Figure name="texts" value={count(contents)} />
        <Figure name="postings" value={count(postings)} />
        {diskBytes !== null && <Figure name="on disk" value={bytes(diskBytes)} />}
        {freeBytes !== null && <Figure name="free" value={bytes(freeBytes)} />}
        {first !== null && (
          <Figure
            name={`since ${duration((now.atMs - first.atMs) / 1000)} ago`}
            value={`${grown(first.sources, sources)} URLs, ${grown(first.contents, contents)} texts`}
          />
        )}
      </dl>
      {index !== null && <Inside index={index} />}
    </>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Health({ stats: { writable, damage }, ready }: AskedFigures) {
  if (damage !== null) {
    return (
      <strong class="decision-no">
        ✕ damaged: {damage.parts.map(({ problem }) => problem).join(' ')} {damage.advice}
      </strong>
    );
  }
  if (!writable) return <strong class="decision-no">✕ The disk refuses writes.</strong>;
  if (ready?.status !== 'ready') return <strong class="decision-undecided">◐ not ready.</strong>;
  return <strong class="decision-yes">● It is well.</strong>;
}

/** Names in the API, in words. */
const KINDS: Readonly<Record<string, string>> = {
  sources: 'URLs',
  records: 'fingerprints of texts',
  digests: 'digests',
  postings: 'postings',
  shingleCounts: 'counts of shingles',
  contentTable: 'table of texts',
  knownKeys: 'known keys',
  holders: 'holders',
  tail: 'newest postings',
  images: 'images of postings',
  filters: 'filters',
  families: 'families',
  level: 'LevelDB',
};

const LIST_COLUMNS: readonly Column[] = [
  ['texts in the list', 'number'],
  ['share of the index', 'number'],
];

function Inside({
  index: { bytesByKind, memoryBytes, longestLists, segments, tailContents, merging, forgotten },
}: {
  readonly index: IndexAnswer;
}) {
  return (
    <details>
      <summary>Disk, memory and longest lists</summary>
      <p class="quiet">
        {count(segments)} segments and {count(tailContents)} texts in the tail{merging && ', merging'};{' '}
        {count(forgotten)} forgotten texts wait to be cleared.
      </p>
      <div class="two">
        <Sizes caption="On disk" sizes={bytesByKind} />
        <Sizes caption="In memory" sizes={memoryBytes} />
      </div>
      {longestLists.length > 0 && (
        <Table
          columns={LIST_COLUMNS}
          caption="Longest lists: of a run of words that very many texts have, a part is read"
        >
          {longestLists.map(({ contents, share }, at) => (
            <tr key={`${contents} ${at}`}>
              <td class="number">{count(contents)}</td>
              <td class="number">{percent(share)}</td>
            </tr>
          ))}
        </Table>
      )}
    </details>
  );
}

function Sizes({ caption, sizes }: { readonly caption: string; readonly sizes: Readonly<Record<string, number>> }) {
  return (
    <table>
      <caption>{caption}</caption>
      <tbody>
        {Object.entries(sizes)
          .toSorted(([, a], [, b]) => b - a)
          .map(([kind, size]) => (
            <tr key={kind}>
              <th scope="row">{KINDS[kind] ?? kind}</th>
              <td class="number">{bytes(size)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
