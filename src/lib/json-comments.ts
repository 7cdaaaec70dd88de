// JSON in which comments and commas at the end of a list are allowed, for files that people write.

const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g
const STRING_OR_LAST_COMMA = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g

/** Throws SyntaxError. Comments become spaces, so that places in messages stay right. */
export function parseWithComments(text: string): unknown {
  const bare = text
    .replace(/^\uFEFF/, '')
    .replace(STRING_OR_COMMENT, (part) =>
      part.startsWith('"') ? part : part.replaceAll(/[^\n\r]/g, ' '),
    )
    .replace(STRING_OR_LAST_COMMA, (part) => (part === ',' ? ' ' : part))
  return JSON.parse(bare)
}
