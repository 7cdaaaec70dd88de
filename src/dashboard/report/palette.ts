// How an ordering's line looks: one of the seven colours of `styles/report.css`, then the same seven
// again with another dash. The best gets a solid line.

const COLOURS = 7
/** Solid, dashed, dotted, both. */
const DASHES = ['none', '7 3', '2 2.5', '9 3 2 3'] as const

export type Look = { readonly colour: string; readonly dash: string }

/** `place` is the ordering's place in the comparison. More than 28 begin again. */
export function lookOf(place: number): Look {
  const round = Math.floor(place / COLOURS)
  return { colour: `c${place % COLOURS}`, dash: DASHES[round % DASHES.length] ?? 'none' }
}
