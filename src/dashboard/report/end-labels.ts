// Labels beside the ends of lines: as close to their line as they can be without touching.

/**
 * Places for labels that wish to stand at `wishes`, each at least `gap` from the next, within `from` and
 * `to`, in the order of the wishes: those that crowd are shifted as a group around their
 * middle. When there is no room for all, they go on below `to`.
 */
export function spreadLabels(
  wishes: readonly number[],
  { gap, from, to }: { readonly gap: number; readonly from: number; readonly to: number },
): number[] {
  const order = wishes.map((_, at) => at).sort((a, b) => (wishes[a] ?? 0) - (wishes[b] ?? 0))
  // With the gaps taken out labels may stand on one spot, only not out of order.
  const shifted = order.map((at, place) => (wishes[at] ?? 0) - place * gap)
  const last = Math.max(from, to - (order.length - 1) * gap)
  const places = new Array<number>(wishes.length).fill(from)
  for (const [place, value] of inOrder(shifted).entries()) {
    const at = order[place]
    if (at !== undefined) places[at] = Math.min(last, Math.max(from, value)) + place * gap
  }
  return places
}

/** The values nearest to the given ones that never fall: neighbours out of order meet in their mean. */
function inOrder(values: readonly number[]): number[] {
  const groups: { sum: number; count: number }[] = []
  for (const value of values) {
    let group = { sum: value, count: 1 }
    for (let last = groups.at(-1); last && meanOf(last) > meanOf(group); last = groups.at(-1)) {
      group = { sum: last.sum + group.sum, count: last.count + group.count }
      groups.pop()
    }
    groups.push(group)
  }
  return groups.flatMap((group) => new Array<number>(group.count).fill(meanOf(group)))
}

function meanOf({ sum, count }: { readonly sum: number; readonly count: number }): number {
  return sum / count
}
