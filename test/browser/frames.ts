// How smooth a page is while something is done with it: frames per second as they came, and what the
// page's own thread did for each. The first depends on everything else that the machine does, the
// second hardly.
import type { Page } from './browser.ts'

export type Frames = {
  stop(): Promise<{ readonly fps: number; readonly medianMs: number; readonly workMs: number }>
}

const START = `(() => {
  window.frameTimes = []
  const note = (at) => { if (window.frameTimes.push(at) > 0 && !window.framesDone) requestAnimationFrame(note) }
  window.framesDone = false
  requestAnimationFrame(note)
})()`

export async function startFrames(page: Page): Promise<Frames> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  const before = await worked()
  await page.evaluate(START)
  return {
    async stop() {
      const times: number[] = await page.evaluate('window.framesDone = true, window.frameTimes')
      const work = (await worked()) - before
      const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
      const sorted = gaps.toSorted((a, b) => a - b)
      const frames = Math.max(1, gaps.length)
      return {
        fps: (1000 * frames) / Math.max(1, (times.at(-1) ?? 0) - (times[0] ?? 0)),
        medianMs: sorted[frames >> 1] ?? 0,
        workMs: (1000 * work) / frames,
      }
    },
  }
}
