// The links of a page behind the place where its text is cut: nothing else is read there. Tags are taken
// as they stand; what is in scripts, styles and comments is no link there either.
import { relOf } from '../about/page-notes.ts'
import { isNofollow } from '../parts/anchor-reader.ts'
import type { LinkList } from '../parts/link-list.ts'
import { ATTRIBUTE, ELEMENT, TRAIT, TRAITS } from './html-names.ts'
import { HtmlScanner, MARKUP } from './html-scanner.ts'
import { rawTextEnd } from './raw-text.ts'

const LESS = 60
/** What may begin before the cut and end behind it: its beginning and its end. */
const SPANS = [
  ['<!--', '-->'],
  ['<script', '</script'],
  ['<style', '</style'],
] as const
/** How far before the cut such a beginning is looked for. */
const LOOK_BACK = 256 * 1024

/** `cutAt`: how much of the page was read for its text. */
export function addLinksBeyond(utf8: Buffer, cutAt: number, links: LinkList): void {
  const scanner = new HtmlScanner()
  scanner.open(utf8)
  scanner.at = startOf(scanner, cutAt)
  for (;;) {
    const less = utf8.indexOf(LESS, scanner.at)
    // More than are kept of one page.
    if (less < 0 || links.cut) return
    scanner.at = less
    const markup = scanner.read()
    if (markup === MARKUP.startTag) take(scanner, links)
    else if (markup === MARKUP.none) scanner.at = less + 1
  }
}

/** At the tag that the cut went through, or behind what it went through that holds no tags. */
function startOf({ latin1, length }: HtmlScanner, cutAt: number): number {
  const from = Math.max(0, cutAt - LOOK_BACK)
  const before = latin1.slice(from, cutAt).toLowerCase()
  for (const [begin, end] of SPANS) {
    const begun = before.lastIndexOf(begin)
    if (begun < 0 || before.indexOf(end, begun) >= 0) continue
    const ends = latin1.indexOf(end, from + begun)
    return ends < 0 ? length : ends
  }
  const less = before.lastIndexOf('<')
  return less < 0 ? cutAt : from + less
}

function take(scanner: HtmlScanner, links: LinkList): void {
  const { element } = scanner
  if (element === ELEMENT.a || element === ELEMENT.area) add(scanner, ATTRIBUTE.href, links)
  else if (element === ELEMENT.iframe || element === ELEMENT.frame) {
    add(scanner, ATTRIBUTE.src, links)
  }
  const name = RAW_NAMES.get(element)
  if (name !== undefined) scanner.at = rawTextEnd(scanner.latin1, name, scanner.at)
}

/** Names of elements whose content holds no tags. */
const RAW_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(ELEMENT).flatMap(([name, element]) =>
    ((TRAITS[element] ?? 0) & (TRAIT.raw | TRAIT.escapable)) === 0
      ? []
      : [[element, name] as const],
  ),
)

function add(scanner: HtmlScanner, attribute: number, links: LinkList): void {
  if (!scanner.has(attribute)) return
  const rel = relOf(scanner)
  links.add(scanner.value(attribute), rel, isNofollow(rel))
}
