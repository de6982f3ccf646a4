import { useMemo } from 'preact/hooks';
import type { ClusterMember } from 'shingled/types';
import { joinedLikeness, type Parts, partName, type TreeNode } from '../../drawn/family-tree.ts';
import { UrlText } from '../../parts/source-list.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { count, day, intervalOf, percentWithin, sizeOf } from '../../words/figures.ts';
import { placeOf } from '../../words/safe-link.ts';
import { partClass } from './part-class.ts';
import { firstSource } from './standing-of.ts';
import { TreeGutter } from './tree-gutter.tsx';

interface Props {
  readonly members: readonly ClusterMember[];
  readonly nodes: readonly TreeNode[];
  readonly parts: Parts;
  readonly threshold: number;
}

const COLUMNS: readonly Column[] = [
  ...['part', 'host', 'first seen'],
  ...(['likeness', 'size', 'URLs'] as const).map((name): Column => [name, 'number']),
  'URL',
];

/** The tree, drawn beside a table of its nodes: a row each, so that whoever cannot see the one reads the other. */
export function FamilyTree({ members, nodes, parts, threshold }: Props) {
  return (
    <>
      <h3>Its tree</h3>
      <p class="quiet">
        Each text hangs from the one that it is most like among those above it. A wide branch is a strong likeness; one
        below the threshold is cut, and dashed. Texts of a part have one letter and one colour.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached by the keyboard */}
      <section class="scroll tree" aria-label="The tree and its table" tabIndex={0}>
        <TreeGutter
          nodes={nodes}
          parts={parts}
          threshold={threshold}
          sizes={members.map(({ sourceCount }) => sourceCount)}
        />
        <Table class="lines" columns={COLUMNS}>
          {nodes.map(({ member }, row) => (
            <Row
              key={member}
              member={members[member]!}
              part={parts.of[row]!}
              isAlone={parts.sizes[parts.of[row]!] === 1}
            />
          ))}
        </Table>
      </section>
    </>
  );
}

interface RowProps {
  readonly member: ClusterMember;
  readonly part: number;
  readonly isAlone: boolean;
}

/** Made anew only where its part changes: a slider moves a thousand of them. */
function Row({ member, part, isAlone }: RowProps) {
  return useMemo(() => {
    const { joinedBy, sourceCount } = member;
    const first = firstSource(member);
    return (
      <tr>
        <td class={`part ${partClass(part, isAlone)}`}>{partName(part)}</td>
        <td class="host">{first === undefined ? '' : placeOf(first.url)}</td>
        <td>{first === undefined ? '' : day(first.firstSeen)}</td>
        <td class="number">{joinedBy === null ? '' : percentWithin(intervalOf(joinedLikeness(joinedBy)))}</td>
        <td class="number">{sizeOf(member)}</td>
        <td class="number">{count(sourceCount)}</td>
        <td>{first === undefined ? 'none is listed' : <UrlText url={first.url} />}</td>
      </tr>
    );
  }, [member, part, isAlone]);
}
