// How the names of nodes are written on a map. What they say came from the web: it is drawn on a
// canvas, letter by letter, and never read as anything else.
import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from 'sigma/rendering'
import { placeLabels, type Room, type WantedLabel } from '../../map/label-room.ts'
import type { MapColours } from '../../map/map-colours.ts'

/** Settings of sigma for labels. */
export function labelSettings(colours: MapColours, container: HTMLElement, names: MapNames) {
  return {
    labelFont: getComputedStyle(container).fontFamily,
    labelSize: 12,
    labelColor: { color: colours.text },
    // More than there is room for: those that would cover another are left out when they are written.
    labelDensity: 2,
    labelGridCellSize: 120,
    labelRenderedSizeThreshold: 4,
    defaultDrawNodeLabel: names.want,
    defaultDrawNodeHover: hoverLabel(colours),
  }
}

/**
 * The names of one frame. The map offers them one by one, in no order; they are written when all are
 * known, so that none covers another.
 */
export class MapNames {
  #wanted: WantedLabel[] = []
  #context: CanvasRenderingContext2D | null = null
  #font = ''

  readonly want: NodeLabelDrawingFunction = (context, drawn, { labelSize, labelFont }) => {
    const {
      x,
      y,
      size,
      label: text,
      forceLabel: forced = false,
      highlighted: framed = false,
    } = drawn
    if (!text) return
    this.#context = context
    this.#font = `500 ${labelSize}px ${labelFont}`
    context.font = this.#font
    const { width } = context.measureText(text)
    this.#wanted.push({ text, x, y, size, width, forced, framed })
  }

  clear(): void {
    this.#wanted = []
  }

  /** With a rim of the ground's colour, so that they can be read across nodes and links. */
  write(room: Room, { ground, text: ink }: MapColours): void {
    const context = this.#context
    if (context === null || this.#wanted.length === 0) return
    context.font = this.#font
    context.textBaseline = 'middle'
    context.lineJoin = 'round'
    context.lineWidth = 3
    context.strokeStyle = ground
    context.fillStyle = ink
    for (const { text, x, y } of placeLabels(this.#wanted, room)) {
      context.strokeText(text, x, y)
      context.fillText(text, x, y)
    }
    this.#wanted = []
  }
}

/** The label of a node that is pointed at or selected, on a ground of its own. */
function hoverLabel(colours: MapColours): NodeHoverDrawingFunction {
  return (context, { x, y, size, label, color }, { labelSize, labelFont }) => {
    context.font = `600 ${labelSize}px ${labelFont}`
    const width = label ? context.measureText(label).width + 14 : 0
    context.beginPath()
    if (label) context.roundRect(x, y - 12, width + size + 3, 24, 6)
    context.arc(x, y, size + 4, 0, Math.PI * 2)
    context.fillStyle = colours.ground
    context.shadowColor = 'rgb(0 0 0 / 45%)'
    context.shadowBlur = 8
    context.fill()
    context.shadowBlur = 0
    context.lineWidth = 1
    context.strokeStyle = colours.strongEdge
    context.stroke()
    context.beginPath()
    context.arc(x, y, size, 0, Math.PI * 2)
    context.fillStyle = color
    context.fill()
    context.fillStyle = colours.text
    if (label) context.fillText(label, x + size + 7, y + labelSize / 3)
  }
}
