// `jelajah parse`: shows what the parser sees in one page, for people who tune it or report about it.

import { PARTS } from '../../core/page.ts'
import { type NoPage, refusalText } from '../../crawl/refusal-text.ts'
import { showSeconds } from '../../lib/format.ts'
import { safeLines, safeText } from '../../lib/terminal.ts'
import { createPageParser, type PageParser } from '../../parser/parse-page.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { COLOURED, PLAIN } from '../style.ts'
import type { ParseOptions } from './parse-command.ts'
import { type ParseDeps, readParseInput } from './parse-input.ts'
import { type PageView, pageText, parsedJson } from './print-page.ts'

/** A pause of the usual length needs no word. */
const LONG_WAIT_MS = 3_000

export async function runParse(
  options: ParseOptions,
  out: Output,
  deps: Partial<ParseDeps> & { readonly colours?: boolean } = {},
): Promise<ExitCode> {
  for (const warning of options.warnings) out.warn(`warning: ${safeText(warning)}\n`)
  const input = await readParseInput(options, {
    stdin: () => process.stdin,
    onWait: (host, forMs) => {
      if (forMs < LONG_WAIT_MS) return
      out.warn(`${host} asks for a pause: waiting ${showSeconds(forMs / 1000)}\n`)
    },
    ...deps,
  })
  if (!input.ok) return refuse(input, out)
  const { head, name, redirects, addressAssumed } = input
  const parsed = parserFor(options)(head, input.body)
  if (parsed.outcome !== 'page') {
    const reason = 'reason' in parsed ? parsed.reason : parsed.outcome
    return refuse({ at: name, reason, redirects }, out)
  }
  const { page, markdown = null } = parsed
  const view = { page, redirects, addressAssumed, markdown }
  await out.write(shown(view, options, deps.colours ?? false))
  return EXIT.done
}

function refuse(noPage: NoPage, out: Output): ExitCode {
  out.warn(`jelajah: ${safeText(refusalText(noPage))}\n`)
  return EXIT.error
}

/** The view for people counts all parts, whichever of them it lists. */
function parserFor({ json, parts, markdown, settings }: ParseOptions): PageParser {
  const { maxBodyBytes, maxLinksBytes } = settings
  const wanted = (json ? parts : null) ?? PARTS
  const options = { salt: 0, parts: wanted, keepHtml: false, maxBodyBytes, maxLinksBytes }
  return createPageParser({ ...options, markdown, readsNoindex: true })
}

function shown(view: PageView, { json, parts }: ParseOptions, colours: boolean): string {
  if (json) return parsedJson(view)
  if (view.markdown !== null) return `${safeLines(view.markdown).trimEnd()}\n`
  return pageText(view, parts ?? [], colours ? COLOURED : PLAIN)
}
