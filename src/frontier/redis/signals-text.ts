// Signals on their way to and from Redis: numbers as text, which any client can read and which gives
// back the very same numbers.
import type { Signals } from '../../ordering/ordering.ts'

const EMPTY = '-'

/** '' for none. */
export function textOfSignals(signals: Signals | null): string {
  if (signals === null) return ''
  return signals.length === 0 ? EMPTY : signals.join(',')
}

export function signalsOfText(text: string | null): Signals | null {
  if (text === null || text === '') return null
  return text === EMPTY ? [] : text.split(',').map(Number)
}
