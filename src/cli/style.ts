/** How a text makes a word stand out, or step back. */
export type Style = {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
}

const asIs = (text: string): string => text

export const PLAIN: Style = { bold: asIs, dim: asIs }

/** For terminals only. */
export const COLOURED: Style = {
  bold: (text) => `\x1b[1m${text}\x1b[22m`,
  dim: (text) => `\x1b[2m${text}\x1b[22m`,
}
