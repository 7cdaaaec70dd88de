// Leaves out pages with few words.
import { tokens } from '../text/tokens.ts'
import type { OpenStep, Stepped } from './exporter.ts'

export function countWords(text: string): number {
  return tokens(text).length
}

/** Pages with fewer words are counted as `too_short`. */
export function atLeastWords(least: number): OpenStep {
  const hasEnough = (text: string) => tokens(text, { max: least }).length >= least
  return async () => ({
    async apply(pages) {
      return pages.map((page): Stepped => {
        return hasEnough(page.contentText) ? { page } : { page: null, counts: { too_short: 1 } }
      })
    },
    async [Symbol.asyncDispose]() {},
  })
}
