// The tree that makes every page of a host reachable: page i's children are the next `fanout` indexes in heap
// order, so parents, levels and whole subtrees are computed, never stored.

export function parentOf(fanout: number, index: number): number {
  return Math.floor((index - 1) / fanout)
}

/** Links from the front page in the tree; no other path is shorter. */
export function depthOf(fanout: number, index: number): number {
  let depth = 0
  for (let at = index; at > 0; at = parentOf(fanout, at)) depth++
  return depth
}

/** The child of the front page above `index`; 0 for the front page itself. */
export function sectionOf(fanout: number, index: number): number {
  let at = index
  while (at > fanout) at = parentOf(fanout, at)
  return at
}

/** From the parent to the section, nearest first; without the front page. */
export function ancestorsOf(fanout: number, index: number): number[] {
  const found: number[] = []
  for (let at = index; at > fanout; ) {
    at = parentOf(fanout, at)
    found.push(at)
  }
  return found
}

/** The first index of a level. */
export function levelStart(fanout: number, depth: number): number {
  return (fanout ** depth - 1) / (fanout - 1)
}

/** The children of a page as a half-open range, empty for a leaf. */
export function childrenOf(
  fanout: number,
  size: number,
  index: number,
): { readonly from: number; readonly to: number } {
  const from = Math.min(size, fanout * index + 1)
  return { from, to: Math.min(size, from + fanout) }
}
