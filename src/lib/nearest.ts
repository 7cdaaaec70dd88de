import { editSteps } from './edit-steps.ts'

/** The known word somebody probably meant; null when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const reach = Math.max(1, Math.floor(word.length / 3))
  const ranked = known
    .map((other) => ({ other, steps: editSteps(word, other) }))
    .filter(({ other, steps }) => steps <= reach || (word.length > 2 && other.startsWith(word)))
    .sort((a, b) => a.steps - b.steps)
  return ranked[0]?.other ?? null
}
