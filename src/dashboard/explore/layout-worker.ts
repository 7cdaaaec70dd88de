// The worker that lays out a map, so that the page stays fluent meanwhile. It works in slices: after
// each it says where the nodes are, and listens.
import { inRoom, USUAL_ROOM } from '../../map/in-room.ts'
import { Layout } from '../../map/layout.ts'
import type { LayoutNews, LayoutOrder } from './layout-link.ts'

/** Long enough to get on, short enough that the map seems to move. */
const SLICE_MS = 150

let layout: Layout | null = null
let sizes = new Float32Array(0)
let room = USUAL_ROOM
let lastStep = 0
/** Steps that are made even when nothing moves any more. */
let atLeast = 0
let isRunning = false

addEventListener('message', ({ data: order }: MessageEvent<LayoutOrder>) => {
  if (order.order === 'stop') lastStep = 0
  if (order.order === 'start') {
    layout = new Layout(order.start)
    sizes = order.start.sizes.slice()
    room = order.room
    lastStep = order.maxSteps
    atLeast = 0
  }
  if (order.order === 'more' && layout !== null) {
    atLeast = layout.steps + order.steps
    lastStep = atLeast
  }
  if (order.order !== 'stop' && !isRunning) run()
})

function run(): void {
  if (layout === null) return
  isRunning = true
  const until = performance.now() + SLICE_MS
  while (!isDone(layout) && performance.now() < until) layout.step()
  const done = isDone(layout)
  const positions = Float32Array.from(inRoom(layout.positions(), sizes, room))
  tell({ positions, share: done ? 1 : shareOf(layout), steps: layout.steps })
  // Through the queue, so that an order which came meanwhile is read before the next slice.
  if (!done) setTimeout(run)
  else isRunning = false
}

function isDone({ steps, settled }: Layout): boolean {
  return steps >= lastStep || (settled && steps >= atLeast)
}

function shareOf({ steps }: Layout): number {
  return Math.min(0.99, lastStep > 0 ? steps / lastStep : 0)
}

function tell(news: LayoutNews): void {
  postMessage(news, { transfer: [news.positions.buffer] })
}
