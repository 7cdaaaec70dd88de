// Fits a layout into the room of a picture: it fills the room, and no node covers another, so that the lines
// between near nodes are seen. A layout knows no sizes: pages of one host that all link to each other would
// be drawn as one blot.

/** In pixels, without the margin. */
export type Room = { readonly width: number; readonly height: number }

/** The room of a picture if nobody says otherwise: that of the dashboard on a screen. */
export const USUAL_ROOM: Room = { width: 660, height: 330 }

/** A layout is round and a picture is wide; stretched further, it would look pulled apart. */
const MAX_STRETCH = 1.8
/** Nodes of larger maps are so small that it makes no difference. */
const MAX_PARTED = 2000
const MAX_ROUNDS = 60
/** The share of the room that nodes may take with the gaps around them. */
const FILLED = 0.4
const MAX_GAP = 18

/** Positions in pixels from 0 to the size of the room. `sizes`: the radius of each node. */
export function inRoom(positions: Float32Array, sizes: Float32Array, room: Room): Float32Array {
  const fitted = fit(positions, room)
  if (sizes.length > MAX_PARTED || sizes.length < 2) return fitted
  part(fitted, sizes, room)
  return fitted
}

function fit(positions: Float32Array, { width, height }: Room): Float32Array {
  const [across, down] = [rangeOf(positions, 0), rangeOf(positions, 1)]
  const free = Math.min(width / across.length, height / down.length)
  // Without an extent in either direction there is nothing to scale.
  const scale = Number.isFinite(free) ? free : 0
  const x = Math.min(scale * MAX_STRETCH, across.length > 0 ? width / across.length : 0)
  const y = Math.min(scale * MAX_STRETCH, down.length > 0 ? height / down.length : 0)
  return positions.map((value, at) =>
    at % 2 === 0 ? width / 2 + (value - across.middle) * x : height / 2 + (value - down.middle) * y,
  )
}

/** The range of every second number; empty if a failed layout gave no numbers. */
function rangeOf(values: Float32Array, from: number): { middle: number; length: number } {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let at = from; at < values.length; at += 2) {
    const value = values[at] ?? 0
    if (value < least) least = value
    if (value > most) most = value
  }
  return least <= most
    ? { middle: (least + most) / 2, length: most - least }
    : { middle: 0, length: 0 }
}

/** Pushes nodes apart that are nearer than the gap, within the room, until none is. */
function part(positions: Float32Array, sizes: Float32Array, room: Room): void {
  const gap = gapFor(sizes, room)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let moved = 0
    for (let a = 0; a < sizes.length; a++) {
      for (let b = a + 1; b < sizes.length; b++) {
        moved += pushApart(positions, a, b, (sizes[a] ?? 0) + (sizes[b] ?? 0) + gap)
      }
    }
    keepInside(positions, room)
    if (moved === 0) return
  }
}

/** 1 if the two were too near. */
function pushApart(positions: Float32Array, a: number, b: number, least: number): number {
  const [ax, ay] = [a * 2, a * 2 + 1]
  const [bx, by] = [b * 2, b * 2 + 1]
  let x = (positions[bx] ?? 0) - (positions[ax] ?? 0)
  let y = (positions[by] ?? 0) - (positions[ay] ?? 0)
  if (Math.abs(x) >= least || Math.abs(y) >= least) return 0
  let away = Math.hypot(x, y)
  if (!(away < least)) return 0
  // In one place: a direction of its own for each pair.
  if (away < 1e-3) {
    x = Math.cos(a + b * 2.4)
    y = Math.sin(a + b * 2.4)
    away = 1
  }
  const push = (least - away) / 2 / away + 1e-3
  positions[ax] = (positions[ax] ?? 0) - x * push
  positions[ay] = (positions[ay] ?? 0) - y * push
  positions[bx] = (positions[bx] ?? 0) + x * push
  positions[by] = (positions[by] ?? 0) + y * push
  return 1
}

function keepInside(positions: Float32Array, { width, height }: Room): void {
  for (let at = 0; at < positions.length; at++) {
    const most = at % 2 === 0 ? width : height
    positions[at] = Math.min(most, Math.max(0, positions[at] ?? 0))
  }
}

/** As much as there is room for. */
function gapFor(sizes: Float32Array, { width, height }: Room): number {
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  // The side of the square that each node may have.
  const side = Math.sqrt((width * height * FILLED) / sizes.length)
  return Math.min(MAX_GAP, Math.max(0, side - 2 * mean))
}
