// The language of a code block, from the classes and attributes that syntax highlighters write:
// `language-x`, `hljs x`, `sourceCode x`, `brush: x`, `highlight-source-x`, `data-lang="x"`.
// Ambiguous words count only if they are the name of a language.
import { ATTRIBUTE, ELEMENT } from '../html/html-names.ts'
import { type HtmlScanner, MARKUP } from '../html/html-scanner.ts'
import type { ContainerRows } from './outline-rows.ts'

/** Explicit, whatever the name. */
const NAMED = /(?:^|\s)(?:language|lang|highlight-source|mw-highlight-lang)-([\w+#.-]{1,30})/gi
const BRUSH = /(?:^|[\s;])(?:brush|lang)\s*:\s*([\w+#.-]{1,30})/i
/** Prefixes that also begin other names. */
const MAYBE = /^(?:highlight|src|code|snippet|geshifilter|codehilite|syntax|block)-(.+)$/
/** Beside one of these, the name of a language means the language. */
const MARKERS =
  /(?:^|\s)(?:hljs|sourceCode|highlight|code|src|prettyprint|codehilite|chroma|shiki|brush|listing|geshi|geshifilter|syntax\w*|code-?block|rust-example-rendered|wp_syntax|EnlighterJSRAW)(?:\s|$)/i
const NAME = /^[\w+#.-]{1,30}$/
/** Names for an unknown language. */
const UNKNOWN = new Set(
  'auto default guess highlight ignore-this inline literal no-highlight nohighlight none null other plain plaintext raw source text txt undefined unknown'.split(
    ' ',
  ),
)
const LANGUAGES = new Set(
  `abap actionscript ada apache apex applescript arduino asciidoc asm assembly astro autohotkey awk bash basic bat batch
  bibtex blade c c# c++ cfg clj clojure cmake cmd cobol coffee coffeescript conf console cpp crystal cs csharp css csv cuda
  cypher cython d dart delphi diff django docker dockerfile dos dot ejs elixir elm erb erl erlang excel f# fish fortran fs
  fsharp gherkin git glsl go golang gradle graphql groovy haml handlebars haskell hbs hcl hlsl hs html http ini
  ipython ipython3 irb java javascript jinja jinja2 jl js json json5 jsonc jsp jsx julia kotlin kt kts latex less liquid lisp
  livescript llvm log lua make makefile markdown mathematica matlab md mdx mermaid mips mongodb mysql nasm nginx nim nix
  objc objective-c objectivec ocaml octave pascal patch perl perl6 pgsql php php-template pl plsql postgres postgresql
  powershell prisma prolog properties proto protobuf ps1 pseudocode pug puppet py py3 pycon pytb python python2 python3 qml r
  racket rb reason regex rest robotframework rs rst ruby rust sas sass scala scheme scss sed sh shell shell-session
  shellsession smalltalk smarty solidity sparql sql stan stata stylus svelte svg swift systemverilog tcl terminal
  terraform tex toml ts tsql tsx turtle twig typescript typst vala vb vb.net vba vbnet vbscript verilog vhdl vim vue wasm
  wat wgsl xaml xhtml xml xquery yaml yml zig zsh`.split(/\s+/),
)
const { 'data-lang': dataLang, 'data-language': dataLanguage } = ATTRIBUTE
const ATTRIBUTES = [
  dataLang,
  dataLanguage,
  ATTRIBUTE['data-enlighter-language'],
  ATTRIBUTE['data-code-block-lang'],
  ATTRIBUTE['data-canonical-lang'],
]
const MAX_CLASS = 400
/** How many tags within the block before its code, and containers around it, are read. */
const MAX_WITHIN = 3
const MAX_AROUND = 6
/** Containers further out describe the page, not the code, unless they name a language. */
const NEAR = 2
const LESS = 60
const SPACE = 32

/** '' when unknown. `row` is the container of the code, `page` an open scanner. */
export function codeLanguage(page: HtmlScanner, containers: ContainerRows, row: number): string {
  const { parent, sourceFrom, element } = containers
  page.at = sourceFrom[row] ?? 0
  for (let tags = 0; tags <= MAX_WITHIN; tags++) {
    if (page.bytes[page.at] !== LESS || page.read() === MARKUP.none) break
    const found = languageOf(page, true)
    if (found !== '') return found
    if (page.element === ELEMENT.code) break
    while (page.at < page.length && (page.bytes[page.at] ?? 0) <= SPACE) page.at++
  }
  let around = parent[row] ?? 0
  for (let steps = 0; around > 0 && steps < MAX_AROUND; steps++) {
    if (IS_PAGE.has(element[around] ?? 0)) return ''
    page.at = sourceFrom[around] ?? 0
    const found = page.read() === MARKUP.startTag ? languageOf(page, steps < NEAR) : ''
    if (found !== '') return found
    around = parent[around] ?? 0
  }
  return ''
}

const { body, main, article, section } = ELEMENT
const IS_PAGE = new Set([body, main, article, section])

function languageOf(tag: HtmlScanner, isNear: boolean): string {
  for (const attribute of ATTRIBUTES) {
    const name = tag.has(attribute) ? tag.value(attribute).trim() : ''
    if (NAME.test(name) && isOne(name, isNear)) return name
  }
  if (tag.has(ATTRIBUTE.class)) {
    const found = inClass(tag, tag.value(ATTRIBUTE.class).slice(0, MAX_CLASS), isNear)
    if (found !== '') return found
  }
  const language = isCode(tag.element) ? tag.value(ATTRIBUTE.lang).toLowerCase() : ''
  // Human languages have codes of two letters.
  return language.length > 2 && LANGUAGES.has(language) ? language : ''
}

function inClass(tag: HtmlScanner, names: string, isNear: boolean): string {
  for (const [, name = ''] of names.matchAll(NAMED)) if (isOne(name, isNear)) return name
  const [, brush = ''] = BRUSH.exec(names) ?? []
  if (brush !== '' && isOne(brush, isNear)) return brush
  const words = names.split(/\s+/)
  for (const word of words) {
    const [, name = ''] = MAYBE.exec(word) ?? []
    if (LANGUAGES.has(name.toLowerCase()) || isOrgMode(word, words)) return name
  }
  if (!isCode(tag.element) && !MARKERS.test(names)) return ''
  return words.find((word) => LANGUAGES.has(word.toLowerCase())) ?? ''
}

/** Org mode: `src src-x`. */
function isOrgMode(word: string, words: readonly string[]): boolean {
  return word.startsWith('src-') && NAME.test(word) && words.includes('src')
}

function isCode(element: number): boolean {
  return element === ELEMENT.pre || element === ELEMENT.code
}

function isOne(name: string, isNear: boolean): boolean {
  const lower = name.toLowerCase()
  return LANGUAGES.has(lower) || (isNear && !UNKNOWN.has(lower))
}
