import { HELD_BYTES_MAX } from './url-file.ts';

/*
 * What a result takes of the memory once it is opened and cut at a threshold (cluster-answers.ts):
 *
 *   documents   node, text, record, place by node: 4 bytes each; where its URL is: 4, or 8 from 4 GiB of URLs on; 8 of its date
 *   URLs        their bytes, up to half a gigabyte: more are read when they are asked for
 *   nodes       their columns; how many documents, and which: 8 bytes
 *   edges       20 bytes; those of the forest 24 more
 *   a cut       17 bytes a node, 12 more of those in clusters; 56 a cluster: how many there are depends on the threshold
 *   removals    30 bytes a node, 4 an edge, and no cut
 */

const DOCUMENT_BYTES = 16;
const NODE_BYTES = 8;
const CUT_NODE_BYTES = 17;
const JOINED_BYTES = 12;
const EDGE_BYTES = 20;
const FOREST_EDGE_BYTES = 24;
const CLUSTER_BYTES = 56;
const REMOVAL_NODE_BYTES = 30;
const REMOVAL_EDGE_BYTES = 4;

export interface AnsweredCorpus {
  readonly nodes: number;
  /** Columns of the nodes. */
  readonly heldBytes: number;
  readonly counts: { readonly documents: number };
  readonly files: { readonly urls: { readonly bytes: number } };
  /** Whether the date of any document is known. */
  readonly hasDates: boolean;
  readonly edges: number;
  readonly forestEdges: number;
}

/** At the most. */
export function answerBytes(corpus: AnsweredCorpus): number {
  const { nodes, heldBytes, counts, files, hasDates, edges, forestEdges } = corpus;
  const urlsBytes = files.urls.bytes;
  const documentBytes = DOCUMENT_BYTES + (urlsBytes < 2 ** 32 ? 4 : 8) + (hasDates ? 8 : 0);
  // each has an edge of the forest, or a node of several documents
  const clusters = Math.min(nodes, forestEdges + counts.documents - nodes);
  const joined = Math.min(nodes, forestEdges + clusters);
  const cut = CUT_NODE_BYTES * nodes + JOINED_BYTES * joined + CLUSTER_BYTES * clusters;
  const removals = REMOVAL_NODE_BYTES * nodes + REMOVAL_EDGE_BYTES * edges;
  return (
    documentBytes * counts.documents +
    (urlsBytes <= HELD_BYTES_MAX ? urlsBytes : 0) +
    heldBytes +
    NODE_BYTES * nodes +
    EDGE_BYTES * edges +
    FOREST_EDGE_BYTES * forestEdges +
    Math.max(cut, removals)
  );
}
