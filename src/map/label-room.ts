// Decides which node labels fit on a map, and on which side of their node.

/** A label to place; x and y are the centre of its node, all in pixels. */
export type WantedLabel = {
  readonly text: string
  readonly x: number
  readonly y: number
  /** Radius of the node. */
  readonly size: number
  readonly width: number
  /** Has priority over all others. */
  readonly forced: boolean
  /** Has a background, which takes more room. */
  readonly framed: boolean
}

type PlacedLabel = { readonly text: string; readonly x: number; readonly y: number }

export type Room = { readonly width: number; readonly height: number }

/** People do not read more, and each label is compared with all before it. */
const MOST_LABELS = 200
const GAP = 4
const LINE = 15
const FRAME = 28

type Box = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/**
 * Places forced labels first, then those of the largest nodes. A label that fits on neither side of its node
 * without covering another is left out. `x` of a placed label is the start of its text.
 */
export function placeLabels(wanted: readonly WantedLabel[], room: Room): readonly PlacedLabel[] {
  const sorted = wanted.toSorted(
    (a, b) => Number(b.forced) - Number(a.forced) || b.size - a.size || a.x - b.x,
  )
  const taken: Box[] = []
  const placed: PlacedLabel[] = []
  for (const label of sorted.slice(0, MOST_LABELS)) {
    const box = boxesOf(label).find(
      (offered) => isInside(offered, room) && !taken.some((other) => overlap(offered, other)),
    )
    if (box === undefined) continue
    taken.push(box)
    placed.push({ text: label.text, x: box.left, y: label.y })
  }
  return placed
}

/** To the right of the node, or else to its left. */
function boxesOf({ x, y, size, width, framed }: WantedLabel): readonly Box[] {
  const height = framed ? FRAME : LINE
  const lines = { top: y - height / 2, bottom: y + height / 2 }
  const right = x + size + GAP
  const left = x - size - GAP - width
  return [
    { ...lines, left: right, right: right + width },
    { ...lines, left, right: left + width },
  ]
}

function isInside({ left, right, top, bottom }: Box, { width, height }: Room): boolean {
  return left >= 0 && right <= width && top >= 0 && bottom <= height
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right + GAP && b.left < a.right + GAP && a.top < b.bottom && b.top < a.bottom
}
