// One pattern of a robots.txt: `*` stands for any characters, `$` at the end for the end.

export interface PathPattern {
  /** The text before the first star: what every path that matches begins with. */
  readonly prefix: string
  /** What `matches` costs per character of the path, about. */
  readonly effort: number
  matches(path: string): boolean
}

export function compilePattern(text: string): PathPattern {
  const anchored = text.endsWith('$')
  const [prefix = '', ...pieces] = (anchored ? text.slice(0, -1) : text).split(/\*+/)
  if (pieces.length === 0) {
    const matches = (path: string) => (anchored ? path === prefix : path.startsWith(prefix))
    return { prefix, effort: 1, matches }
  }
  const tail = anchored ? (pieces.pop() ?? '') : ''
  return {
    prefix,
    effort: effortOf(pieces),
    matches: (path) => {
      if (!path.startsWith(prefix)) return false
      const end = endOf(pieces, path, prefix.length)
      return end >= 0 && path.length - end >= tail.length && path.endsWith(tail)
    },
  }
}

/** Where the pieces end when each is taken where it comes first, which leaves later ones most room. */
function endOf(pieces: readonly string[], path: string, start: number): number {
  let at = start
  for (const piece of pieces) {
    const found = path.indexOf(piece, at)
    if (found < 0) return -1
    at = found + piece.length
  }
  return at
}

// Every character is looked at once; but `indexOf` may compare a long piece again and again.
function effortOf(pieces: readonly string[]): number {
  const longest = pieces.reduce((max, piece) => Math.max(max, piece.length), 0)
  return 1 + longest / 16
}
