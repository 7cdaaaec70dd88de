// Which names of nodes there is room for on a map, and on which side of their node they stand.

/** A name that wants to be written; x and y are the middle of its node, all in pixels. */
export type WantedLabel = {
  readonly text: string
  readonly x: number
  readonly y: number
  /** Radius of the node. */
  readonly size: number
  readonly width: number
  /** Goes before all others. */
  readonly forced: boolean
  /** Stands on a ground of its own, which takes more room. */
  readonly framed: boolean
}

export type PlacedLabel = { readonly text: string; readonly x: number; readonly y: number }

export type Room = { readonly width: number; readonly height: number }

/** More are not read, and each is compared with all before it. */
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
 * The forced ones first, then those of the largest nodes; a name that would cover another, on either
 * side of its node, is left out. `x` of a placed one is where its text begins.
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
