import type { SchemaElement, SchemaTree } from 'hyparquet';

/*
 * The columns of a Parquet file as they are stored: a value, or none, and two levels which say where it belongs in lists and
 * groups. When rows are copied, none of that is assembled and no value is interpreted, so nothing is lost.
 *
 *   price       FIXED_LEN_BYTE_ARRAY(12), DECIMAL(20, 3)    12 bytes
 *   seen        INT96                                       12 bytes
 *   score       DOUBLE                                      64 bits, so that no NaN becomes another one
 *   words       MAP { key_value { key, value } }            two columns, words.key_value.key and words.key_value.value
 */

/** A column that holds values. */
export interface ParquetLeaf {
  /** Its name, with those of the groups that it is in. */
  readonly path: readonly string[];
  /** What the file says of it. */
  readonly element: SchemaElement;
  /** What its values are read and written as: the type has the same bytes. */
  readonly stored: SchemaElement;
  /** From the root to it. */
  readonly nodes: readonly SchemaTree[];
  /** The levels of a value that is there: how many of these nodes may be absent, and how many are lists. */
  readonly definitionMax: number;
  readonly repetitionMax: number;
}

/** Groups within groups; data sets have fewer than ten. */
const DEPTH_MAX = 100;

/** The columns that hold values, in the order of the file. @throws Error where the schema is none */
export function leavesOf(schema: readonly SchemaElement[]): ParquetLeaf[] {
  const leaves: ParquetLeaf[] = [];
  const open: { readonly node: SchemaTree; left: number }[] = [];
  for (const [at, element] of schema.entries()) {
    while (open.at(-1)?.left === 0) open.pop();
    const parent = open.at(-1);
    if (parent !== undefined) parent.left--;
    if (open.length > DEPTH_MAX || (parent === undefined && at > 0)) throw new Error('its schema is no tree');
    // some files say of the root that it is repeated, which means nothing
    const own = at === 0 ? { name: element.name } : element;
    open.push({ node: { element: own, children: [], count: 1, path: [] }, left: element.num_children ?? 0 });
    if (element.type !== undefined) leaves.push(leafOf(element, open));
  }
  if (open.some(({ left }) => left > 0)) throw new Error('its schema ends too early');
  return leaves;
}

function leafOf(element: SchemaElement, open: readonly { readonly node: SchemaTree }[]): ParquetLeaf {
  const nodes = open.map(({ node }) => node);
  const below = nodes.slice(1).map((node) => node.element);
  return {
    ...{ path: below.map(({ name }) => name), element, stored: storedAs(element), nodes },
    definitionMax: below.filter(({ repetition_type }) => repetition_type !== 'REQUIRED').length,
    repetitionMax: below.filter(({ repetition_type }) => repetition_type === 'REPEATED').length,
  };
}

function storedAs({ name, type, type_length }: SchemaElement): SchemaElement {
  if (type === 'FLOAT') return { name, type: 'INT32' };
  if (type === 'DOUBLE') return { name, type: 'INT64' };
  if (type === 'INT96') return { name, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12 };
  return { name, type: type!, ...(type_length === undefined ? {} : { type_length }) };
}
