// How the names of nodes are written on a map. What they say came from the web: it is drawn on a
// canvas, letter by letter, and never read as anything else.
import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from 'sigma/rendering'
import type { MapColours } from './map-colours.ts'

/** Of sigma. */
export function labelSettings(colours: MapColours, container: HTMLElement) {
  return {
    labelFont: getComputedStyle(container).fontFamily,
    labelSize: 12,
    labelColor: { color: colours.text },
    labelDensity: 0.6,
    labelGridCellSize: 160,
    labelRenderedSizeThreshold: 4,
    defaultDrawNodeLabel: label(colours),
    defaultDrawNodeHover: hoverLabel(colours),
  }
}

/** With a rim of the ground's colour, so that it can be read across nodes and links. */
function label(colours: MapColours): NodeLabelDrawingFunction {
  return (context, { x, y, size, label: text }, { labelSize, labelFont }) => {
    if (!text) return
    context.font = `500 ${labelSize}px ${labelFont}`
    context.lineJoin = 'round'
    context.lineWidth = 3
    context.strokeStyle = colours.ground
    context.strokeText(text, x + size + 4, y + labelSize / 3)
    context.fillStyle = colours.text
    context.fillText(text, x + size + 4, y + labelSize / 3)
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
