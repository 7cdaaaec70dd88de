// Pages with small accidents in them, the same for the same seed.

/** Pieces of markup that change how what follows is read. */
const SCRAPS = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '=',
  '/',
  ' ',
  '\0',
  '<!',
  '<?',
  '</',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<a href=x>',
  '</a>',
  '<p>',
  '</p>',
  '</div>',
  '<br>',
  '<li>',
  '<table>',
  '<title>',
  '<script>',
  '</script>',
  '<style>',
  '<textarea>',
  '<iframe>',
  '<noscript>',
  '<template>',
  '</template>',
  '<plaintext>',
  '<form>',
  '<button>',
  '<svg>',
  '</svg>',
  '<desc>',
  '<foreignObject>',
  '<math>',
  '<mi>',
] as const

/** Numbers in [0, below), the same for the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 0x100000000) * below)
  }
}

/** Cuts, inserts and repeats pieces of a page at up to six random places. */
export function mutate(page: string, random: (below: number) => number): string {
  let text = page
  for (let count = 1 + random(6); count > 0; count--) {
    const at = random(text.length + 1)
    text = text.slice(0, at) + pieceFor(text, random) + text.slice(at + cutLength(random))
  }
  return text
}

function pieceFor(text: string, random: (below: number) => number): string {
  const from = random(text.length + 1)
  const repeated = random(3) === 0
  return repeated ? text.slice(from, from + random(60)) : (SCRAPS[random(SCRAPS.length)] ?? '')
}

function cutLength(random: (below: number) => number): number {
  return random(2) === 0 ? 0 : random(20)
}
