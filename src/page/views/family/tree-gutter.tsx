import type { Parts, TreeNode } from '../../drawn/family-tree.ts';
import { partClass } from './part-class.ts';

interface Props {
  readonly nodes: readonly TreeNode[];
  readonly parts: Parts;
  readonly threshold: number;
  /** URLs of each member: what more of them say has a larger node. */
  readonly sizes: readonly number[];
}

/** As high as a row of the table, in CSS pixels: style/family.css has the same. */
const ROW = 28;
const INDENT_MAX = 20;
const WIDTH_MAX = 220;
const MARGIN = 12;

/** The tree itself, each node beside its row. */
export function TreeGutter({ nodes, parts, threshold, sizes }: Props) {
  const deepest = nodes.reduce((most, { depth }) => Math.max(most, depth), 0);
  const indent = deepest === 0 ? 0 : Math.min(INDENT_MAX, (WIDTH_MAX - 2 * MARGIN) / deepest);
  const x = (row: number) => MARGIN + nodes[row]!.depth * indent;
  const y = (row: number) => (row + 0.5) * ROW;
  const width = 2 * MARGIN + deepest * indent;
  const height = nodes.length * ROW;
  return (
    <svg class="gutter" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {nodes.map(({ parent, likeness, member }, row) =>
        parent === null ? null : (
          <path
            key={member}
            class={likeness < threshold ? 'branch branch-cut' : 'branch'}
            stroke-width={(1 + likeness * 4).toFixed(1)}
            d={`M${x(parent)} ${y(parent)}V${y(row) - 8}Q${x(parent)} ${y(row)} ${x(row)} ${y(row)}`}
          />
        ),
      )}
      {nodes.map(({ member }, row) => (
        <circle
          key={member}
          class={partClass(parts.of[row]!, parts.sizes[parts.of[row]!] === 1)}
          cx={x(row)}
          cy={y(row)}
          r={Math.min(9, 4 + Math.log2(sizes[member]!))}
        />
      ))}
    </svg>
  );
}
