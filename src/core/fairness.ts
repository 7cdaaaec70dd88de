/**
 * Jain's index of fairness: 1 when all have the same, 1/n when one has everything. Nobody, or
 * nobody with anything yet, is as fair as it gets.
 */
export function jainsIndex(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0)
  const squares = shares.reduce((total, share) => total + share * share, 0)
  return squares === 0 ? 1 : (sum * sum) / (shares.length * squares)
}
