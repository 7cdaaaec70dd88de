// What holds for the outline of any page: ranges are in order, within each other, and within the text.
import type { Outline } from '../../src/parser/content/outline.ts'
import type { HtmlReading } from '../../src/parser/html/html-reader.ts'

/** What is wrong with it; empty when all is well. */
export function brokenOutline({ outline, text, source }: HtmlReading): string[] {
  const { bytes } = text
  return [
    ...brokenBlocks(outline, bytes, source.length),
    ...brokenContainers(outline, text.mark, source.length),
  ]
}

function brokenBlocks({ blocks, containers }: Outline, text: Buffer, sourceEnd: number): string[] {
  const broken: string[] = []
  let end = 0
  for (let row = 0; row < blocks.count; row++) {
    const from = blocks.textFrom[row]!
    const to = blocks.textTo[row]!
    if (from < end || to <= from || to > text.length) broken.push(`block ${row}: ${from}–${to}`)
    else if (text[to - 1]! <= 32) broken.push(`block ${row} ends with a blank`)
    if (blocks.linkBytes[row]! > to - from) broken.push(`block ${row}: more links than text`)
    if (blocks.container[row]! >= containers.count) broken.push(`block ${row} is in nothing`)
    if (blocks.sourceTo[row]! > sourceEnd) broken.push(`block ${row} is behind the page`)
    end = to
  }
  return broken
}

function brokenContainers(
  { blocks, containers }: Outline,
  textEnd: number,
  sourceEnd: number,
): string[] {
  const broken: string[] = []
  for (let row = 0; row < containers.count; row++) {
    const parent = containers.parent[row]!
    const { textFrom, textTo, blockFrom, blockTo } = containers
    const isOrdered = textFrom[row]! <= textTo[row]! && blockFrom[row]! <= blockTo[row]!
    const isWithin = textTo[row]! <= textEnd && blockTo[row]! <= blocks.count
    if (!isOrdered || !isWithin || parent >= row) {
      const text = `${textFrom[row]}–${textTo[row]}`
      broken.push(`container ${row}: text ${text}, blocks ${blockFrom[row]}–${blockTo[row]}`)
    }
    if (containers.sourceFrom[row]! > sourceEnd) broken.push(`container ${row} is behind the page`)
  }
  return broken
}
