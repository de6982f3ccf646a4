/** A permutation of 32 bits, each of which depends on all: the finalizer of MurmurHash3 (Appleby 2011). */
export function mixed(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}

/** FNV-1a of the UTF-16 units of a text, mixed. 0..2^32-1 */
export function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  return mixed(hash) >>> 0;
}
