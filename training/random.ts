/** Numbers in [0, 1) that are the same for the same seed on any machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    // A Weyl sequence, stirred: neighbouring seeds must not give neighbouring numbers.
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

/** `count` different numbers below `total`, ascending. */
export function sample(total: number, count: number, random: () => number): number[] {
  const chosen: number[] = []
  for (let i = 0; i < total && chosen.length < count; i++) {
    if (random() * (total - i) < count - chosen.length) chosen.push(i)
  }
  return chosen
}
