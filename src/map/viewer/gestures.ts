import type { Camera } from './camera.ts'

export type Gestures = {
  /** The camera moved. */
  readonly onMove: () => void
  /** The pointer is there and holds nothing; null: it left. */
  readonly onPoint: (at: { readonly x: number; readonly y: number } | null) => void
  /** Pressed and let go on the spot. `reach`: how far beside it may still be meant, in pixels. */
  readonly onTap: (x: number, y: number, reach: number) => void
  /** Let go of what is selected. */
  readonly onEscape: () => void
}

/** Dragging moves, wheel and two fingers zoom, keys do both. */
export function listenToGestures(canvas: HTMLElement, camera: Camera, gestures: Gestures): void {
  listenToPointers(canvas, camera, gestures)
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const lines = event.deltaMode === 1 ? 16 : 1
      const box = canvas.getBoundingClientRect()
      const factor = Math.exp(-Math.max(-200, Math.min(200, event.deltaY * lines)) * 0.002)
      camera.zoom(factor, event.clientX - box.left, event.clientY - box.top)
      gestures.onMove()
    },
    { passive: false },
  )
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = 60
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => camera.move(step, 0),
      ArrowRight: () => camera.move(-step, 0),
      ArrowUp: () => camera.move(0, step),
      ArrowDown: () => camera.move(0, -step),
      '+': () => camera.zoom(1.4),
      '=': () => camera.zoom(1.4),
      '-': () => camera.zoom(1 / 1.4),
      '0': () => camera.showAll(),
      Home: () => camera.showAll(),
      Escape: () => gestures.onEscape(),
      Enter: () => gestures.onTap(camera.width / 2, camera.height / 2, Number.POSITIVE_INFINITY),
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
    gestures.onMove()
  })
}

export function listenToPointers(canvas: HTMLElement, camera: Camera, gestures: Gestures): void {
  const held = new Map<number, { x: number; y: number }>()
  let moved = 0
  const placeOf = (event: PointerEvent): { x: number; y: number } => {
    const box = canvas.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    canvas.setPointerCapture(event.pointerId)
    if (held.size === 0) moved = 0
    held.set(event.pointerId, placeOf(event))
  })
  canvas.addEventListener('pointermove', (event) => {
    const now = placeOf(event)
    const before = held.get(event.pointerId)
    if (before === undefined) {
      gestures.onPoint(now)
      return
    }
    const [other] = [...held].filter(([id]) => id !== event.pointerId).map(([, place]) => place)
    if (other !== undefined) {
      const apart = Math.hypot(before.x - other.x, before.y - other.y)
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, apart)
      camera.zoom(factor, (now.x + other.x) / 2, (now.y + other.y) / 2)
    } else camera.move(now.x - before.x, now.y - before.y)
    moved += Math.hypot(now.x - before.x, now.y - before.y)
    held.set(event.pointerId, now)
    gestures.onMove()
  })
  const letGo = (event: PointerEvent): void => {
    const was = held.delete(event.pointerId)
    // A finger trembles more than a mouse.
    const isTouch = event.pointerType !== 'mouse'
    if (!was || event.type === 'pointercancel' || moved > (isTouch ? 12 : 4)) return
    const { x, y } = placeOf(event)
    gestures.onTap(x, y, isTouch ? 22 : 6)
  }
  canvas.addEventListener('pointerup', letGo)
  canvas.addEventListener('pointercancel', letGo)
  canvas.addEventListener('pointerleave', () => gestures.onPoint(null))
}
