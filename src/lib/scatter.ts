// Pseudo-random numbers that are a pure function of their arguments: a run with the same seed makes the same
// choices, also after a restart.

/** A number in [0, 1) for any three integers, of which only the last 32 bits count. */
export function scatter(seed: number, a: number, b: number): number {
  const hash = mixBits(mixBits(mixBits(seed | 0) ^ a) ^ b)
  return (hash >>> 0) / 2 ** 32
}

/** Every bit of the result depends on every input bit, and the function is one-to-one. */
function mixBits(bits: number): number {
  let mixed = (bits + 0x6a09e667) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return mixed ^ (mixed >>> 14)
}
