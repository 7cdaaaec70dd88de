// Reads the links after the point where the text of a page is cut, and nothing else. Tags are taken
// as written; scripts, styles and comments contain no links there either.
import { relOf } from '../about/page-notes.ts'
import { isNofollow } from '../parts/anchor-reader.ts'
import type { LinkList } from '../parts/link-list.ts'
import { ATTRIBUTE, ELEMENT, isFallback, TRAIT, TRAITS } from './html-names.ts'
import { HtmlScanner, MARKUP } from './html-scanner.ts'
import { rawTextEnd } from './raw-text.ts'

/** Constructs that may begin before the cut and end after it: their start and end. */
const SPANS = [
  ['<!--', '-->'],
  ['<script', '</script'],
  ['<style', '</style'],
] as const
/** How far before the cut such a start is searched. */
const LOOK_BACK = 256 * 1024

/** `cutAt`: how much of the page was read for its text. */
export function addLinksAfterCut(utf8: Buffer, cutAt: number, links: LinkList): void {
  const scanner = new HtmlScanner()
  scanner.open(utf8)
  scanner.at = startOf(scanner, cutAt)
  const endless = new Set<number>()
  for (;;) {
    const less = scanner.latin1.indexOf('<', scanner.at)
    // More than the limit of links per page.
    if (links.cut || (less < 0 && scanner.length === utf8.length)) return
    scanner.at = less < 0 ? scanner.length : less
    if (less < 0) {
      scanner.release()
      continue
    }
    const markup = scanner.read()
    if (markup === MARKUP.startTag) {
      take(scanner, links)
      confine(scanner, endless)
    } else if (markup === MARKUP.none) scanner.at = less + 1
  }
}

/** At the tag that contains the cut, or after the construct without tags that contains it. */
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

/** Elements that begin in a `<noscript>` end with it. `endless`: names without a further end tag. */
function confine(scanner: HtmlScanner, endless: Set<number>): void {
  const { element, latin1, length, bytes } = scanner
  if (!isFallback(element) || length < bytes.length || endless.has(element)) return
  const name = element === ELEMENT.noscript ? 'noscript' : 'noframes'
  const end = rawTextEnd(latin1, name, scanner.at)
  if (end < length) scanner.confine(end)
  else endless.add(element)
}

function take(scanner: HtmlScanner, links: LinkList): void {
  const { element } = scanner
  if (element === ELEMENT.a) add(scanner, ATTRIBUTE.href, links)
  else if (element === ELEMENT.area) {
    if (!scanner.has(ATTRIBUTE.nohref)) add(scanner, ATTRIBUTE.href, links)
  }
  if (element === ELEMENT.iframe || element === ELEMENT.frame) {
    add(scanner, ATTRIBUTE.src, links)
  }
  const name = RAW_NAMES.get(element)
  if (name !== undefined) scanner.at = rawTextEnd(scanner.latin1, name, scanner.at)
}

/** Names of elements whose content has no tags. */
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
