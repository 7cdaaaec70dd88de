// How a contender's line looks. Seven colours, chosen by search so that any two of them stay apart
// (0.13 in OKLab) also for people who see no red, no green or no blue, and stand out from the page by
// 3:1; then the same seven again with another dash. Who comes first gets a solid line.

export const COLOURS: readonly { readonly light: string; readonly dark: string }[] = [
  { light: '#290e9b', dark: '#84a9f7' },
  { light: '#de6e29', dark: '#d63a00' },
  { light: '#4a9da6', dark: '#6ef7f2' },
  { light: '#a053fd', dark: '#7b50fc' },
  { light: '#ab3511', dark: '#ed8b86' },
  { light: '#406690', dark: '#cef034' },
  { light: '#651135', dark: '#a54391' },
]

/** Solid, dashed, dotted, both. */
const DASHES = ['none', '7 3', '2 2.5', '9 3 2 3'] as const

export type Look = { readonly colour: string; readonly dash: string }

/** `place` is the contender's place in the comparison. More than 28 begin again. */
export function lookOf(place: number): Look {
  const round = Math.floor(place / COLOURS.length)
  return {
    colour: `c${place % COLOURS.length}`,
    dash: DASHES[round % DASHES.length] ?? 'none',
  }
}
