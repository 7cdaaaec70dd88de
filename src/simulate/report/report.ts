// A comparison of orderings as one HTML file: pictures, tables, and under each what was measured and how
// to do it again. The file stands alone: no script, no font, no picture from elsewhere, and a content
// policy that allows none. It is fit for a screen, light or dark, and for paper. Nothing in it but the
// summary and the facts given: no date, no machine, so equal input gives equal bytes.
import { createHash } from 'node:crypto'
import { VERSION } from '../../core/version.ts'
import type { RunFacts } from '../run-facts.ts'
import type { Summary } from '../summary.ts'
import { captionMaker } from './captions.ts'
import { drawFigures } from './figures.ts'
import { drawHead } from './head.ts'
import { type Language, wordsIn } from './languages.ts'
import { html, Markup } from './markup.ts'
import { STYLE } from './style.ts'
import { drawTables } from './table-section.ts'

export type ReportOptions = RunFacts & { readonly language: Language }

export function drawReport(summary: Summary, options: ReportOptions): string {
  const words = wordsIn(options.language)
  const captions = captionMaker(summary, options, words)
  const page = html`<!doctype html>
<html lang="${options.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Jelajah ${VERSION}">
<title>${words.title}: ${options.web}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${drawHead(summary, options, words)}
<main>
${drawFigures(summary, words, captions)}
${drawTables(summary, words, captions)}
</main>
</body>
</html>
`
  return page.toString()
}

/** Only our own style sheet, known by its hash. */
function policy(): string {
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}
