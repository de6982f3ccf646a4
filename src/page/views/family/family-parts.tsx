import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ClusterAnswer, ClusterMember, CorpusAnswer, IndexCluster } from 'shingled/types';
import { formatAddress } from '../../address/view-address.ts';
import {
  type Link,
  type Parts,
  partName,
  partsAt,
  type TreeNode,
  treeOf,
  weakestLinks,
} from '../../drawn/family-tree.ts';
import { Limits } from '../../parts/outcome.tsx';
import { UrlText } from '../../parts/source-list.tsx';
import { count, counted, minute, percent } from '../../words/figures.ts';
import { chanceWords } from '../../words/sentences.ts';
import { FamilyMap } from './family-map.tsx';
import { FamilyTree } from './family-tree-table.tsx';
import { partClass, partShape } from './part-class.ts';
import { PartSteps } from './part-steps.tsx';
import { firstSource } from './standing-of.ts';

interface Props {
  readonly answer: ClusterAnswer;
  /** Not below that of the answer. */
  readonly threshold: number;
}

/** A family at a threshold: its parts in words, how many there are at others, its weakest links, and its tree. */
export function FamilyParts({ answer, threshold }: Props) {
  const { index, corpus } = answer;
  return (
    <>
      {index === null ? <p>The index does not know this URL.</p> : <Known index={index} threshold={threshold} />}
      {corpus !== null && <Corpus corpus={corpus} />}
    </>
  );
}

const NAMED = 8;
const LINKS = 3;

function Known({ index, threshold }: { readonly index: IndexCluster; readonly threshold: number }) {
  const { members, contentCount, recall, limits, complete, asOf } = index;
  const nodes = useMemo(() => treeOf(members), [members]);
  const parts = useMemo(() => partsAt(nodes, threshold), [nodes, threshold]);
  const { sizes } = parts;
  const weakest = weakestLinks(nodes, threshold, LINKS);
  const isFeatures = members[0]?.kind === 'features';
  const contents = isFeatures
    ? counted(contentCount, 'set of features', 'sets of features')
    : counted(contentCount, 'text');
  const rested = useRested(threshold);
  const table = useMemo(
    () => <FamilyTree members={members} nodes={nodes} parts={partsAt(nodes, rested)} threshold={rested} />,
    [members, nodes, rested],
  );
  return (
    <>
      <h2 aria-live="polite">
        {members.length === 1
          ? 'It has no family at this threshold'
          : `${contents} ${sizes.length === 1 ? 'in one piece' : `in ${count(sizes.length)} parts`} at ${percent(threshold)}`}
      </h2>
      {sizes.length > 1 && <Named {...parts} />}
      <p class="quiet">
        First seen: <UrlText url={index.representative} />. A text just at the threshold was met {chanceWords(recall)}.
        {!complete && ' Something may have been left out.'} As of {minute(asOf)} UTC.
      </p>
      <Limits limits={limits} />
      {members.length > 1 && (
        <>
          <PartSteps nodes={nodes} threshold={threshold} />
          <FamilyMap members={members} nodes={nodes} parts={parts} threshold={threshold} weakest={weakest} />
          <WeakLinks members={members} nodes={nodes} links={weakest} />
          {table}
        </>
      )}
    </>
  );
}

const REST_MS = 250;

/** A value once it moves no more: a table of a thousand rows cannot be laid out at each step of a slider. */
function useRested(value: number): number {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** The largest parts, each with what it is drawn by. */
function Named({ sizes }: Parts) {
  return (
    <ul class="legend">
      {sizes.slice(0, NAMED).map((size, part) => (
        <li key={part}>
          <svg class="glyph" viewBox="-1.4 -1.4 2.8 2.8" aria-hidden="true">
            <path class={`node ${partClass(part, size === 1)}`} d={partShape(part, size === 1)} />
          </svg>{' '}
          {partName(part)} of {count(size)}
        </li>
      ))}
      {sizes.length > NAMED && <li>and {counted(sizes.length - NAMED, 'smaller one')}</li>}
    </ul>
  );
}

interface WeakProps {
  readonly members: readonly ClusterMember[];
  readonly nodes: readonly TreeNode[];
  readonly links: readonly Link[];
}

function WeakLinks({ members, nodes, links }: WeakProps) {
  if (links.length === 0) return null;
  const urlOf = (row: number) => firstSource(members[nodes[row]!.member]!)?.url ?? null;
  return (
    <>
      <h3>Its weakest links</h3>
      <ol class="links">
        {links.map(({ row, likeness, sides }) => {
          const a = urlOf(nodes[row]!.parent!);
          const b = urlOf(row);
          return (
            <li key={row}>
              <strong class="figures">{percent(likeness)}</strong> between <OneSide url={a} /> and <OneSide url={b} />.
              Cut, it leaves {count(sides[0])} and {count(sides[1])}.{' '}
              {a !== null && b !== null && (
                <a href={formatAddress({ view: 'compare', params: { a, b } })}>Side by side</a>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

function OneSide({ url }: { readonly url: string | null }) {
  return url === null ? <>a text whose URLs are not listed</> : <UrlText url={url} />;
}

const CORPUS_STATES: Readonly<Record<CorpusAnswer['state'], string>> = {
  found: 'knows it',
  'unknown-url': 'does not know this URL',
  'below-floor': 'was clustered by a higher threshold than this',
  'other-likeness': 'was clustered by another likeness than this',
};

function Corpus({ corpus: { state, cluster, asOf } }: { readonly corpus: CorpusAnswer }) {
  return (
    <>
      <h2>In the corpus beside the index</h2>
      <p>
        The corpus of {minute(asOf)} UTC {CORPUS_STATES[state]}
        {cluster !== null &&
          `: its cluster has ${counted(cluster.documents, 'document')} of ${counted(cluster.texts, 'text')}`}
        .
      </p>
    </>
  );
}
