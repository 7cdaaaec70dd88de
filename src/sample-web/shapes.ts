// The main part of a page, one function per shape. Each fills about the given number of bytes.
import type { Shape } from './facts.ts'
import { capital, type Writer } from './prose.ts'
import type { Stream } from './random.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The tools of a shape. Links are finished anchors. */
type Canvas = {
  readonly title: string
  readonly writer: Writer
  readonly stream: Stream
  readonly words: Vocabulary
  readonly publishedAt: number
  /** Target size of the main part in bytes. */
  readonly room: number
  readonly children: readonly string[]
  readonly inline: readonly string[]
  readonly turns: readonly string[]
}

export const DRAW: Readonly<Record<Shape, (canvas: Canvas) => string>> = {
  'front-page': drawListing,
  listing: drawListing,
  article: drawArticle,
  thread: drawThread,
  documentation: drawDocumentation,
  product: drawProduct,
}

function drawListing(canvas: Canvas): string {
  const { writer, children, words, title } = canvas
  let html = `<h1>${title}</h1>\n<p class="intro">${writer.paragraph()}${inlineOf(canvas)}</p>\n`
  const share = (canvas.room - html.length) / Math.max(1, children.length)
  for (const child of children) {
    html += `<section class="teaser"><h2>${child}</h2>\n${image(canvas, 240, 160)}\n`
    html += `<p>${fill(share - child.length - 220, () => writer.sentence())}</p>\n`
    html += `<p class="more">${words.labels.readMore}: ${writer.phrase()}</p></section>\n`
  }
  return html + turnsOf(canvas)
}

function drawArticle(canvas: Canvas): string {
  const { writer, stream, words } = canvas
  let html = `<article>\n<h1>${canvas.title}</h1>\n${byline(canvas)}`
  html += `<figure>${image(canvas, 800, 450)}<figcaption>${writer.sentence()}</figcaption></figure>\n`
  html += `<p class="lead">${writer.paragraph()}${inlineOf(canvas)}</p>\n`
  if (stream.chance(0.2)) html += table(canvas, 4)
  html += fill(canvas.room - html.length, () => {
    const heading = stream.chance(0.25) ? `<h2>${capital(writer.phrase())}</h2>\n` : ''
    return `${heading}<p>${writer.paragraph()}</p>\n`
  })
  const tags = [writer.noun(), writer.noun(), writer.phrase()].map((tag) => `<li>${tag}</li>`)
  return `${html}<ul class="tags">${tags.join('')}</ul>\n</article>\n${turnsOf(canvas)}<p>${words.labels.comments}: ${stream.below(40)}</p>\n`
}

function drawThread(canvas: Canvas): string {
  const { writer, stream, words } = canvas
  let html = `<h1>${canvas.title}</h1>\n<div class="thread">\n`
  let at = canvas.publishedAt
  let first = true
  html += fill(canvas.room - 500, () => {
    at += (1 + stream.below(600)) * 60_000
    const quote = stream.chance(0.3) ? `<blockquote>${writer.sentence()}</blockquote>` : ''
    const inline = first ? inlineOf(canvas) : ''
    first = false
    return `<div class="post"><span class="author">${writer.name()}</span> ${time(at)}\n${quote}<p>${writer.paragraph()}${inline}</p></div>\n`
  })
  const form = `<form action="#reply" method="post"><textarea name="text"></textarea><button>${words.labels.reply}</button></form>`
  return `${html}${form}\n</div>\n${turnsOf(canvas)}`
}

function drawDocumentation(canvas: Canvas): string {
  const { writer, stream, words, children } = canvas
  let toc = ''
  let body = `<p>${writer.paragraph()}${inlineOf(canvas)}</p>\n`
  let nth = 0
  body += fill(canvas.room - 700 - body.length, () => {
    const heading = capital(writer.phrase())
    nth++
    toc += `<li>${nth}. ${heading}</li>`
    const code = stream.chance(0.5) ? codeOf(canvas) : ''
    return `<h2 id="part-${nth}">${heading}</h2>\n<p>${writer.paragraph()}</p>\n${code}`
  })
  if (stream.chance(0.4)) body += table(canvas, 5)
  const below = children.map((child) => `<li>${child}</li>`).join('\n')
  return `<h1>${canvas.title}</h1>\n<div class="toc"><h2>${words.labels.contents}</h2><ol>${toc}</ol></div>\n${body}<ul class="below">${below}</ul>\n${turnsOf(canvas)}`
}

function drawProduct(canvas: Canvas): string {
  const { writer, stream, words } = canvas
  const { labels } = words
  let html = `<div class="product"><h1>${canvas.title}</h1>\n${image(canvas, 600, 600)}\n`
  html += `<p class="price">${labels.price}: ${5 + stream.below(900)}.${10 + stream.below(90)}</p>\n`
  html += `<form action="#basket" method="post"><input type="number" name="count" value="1"><button>${labels.buy}</button></form>\n`
  html += `<p>${writer.paragraph()}${inlineOf(canvas)}</p>\n${table(canvas, 6)}`
  html += fill(canvas.room - html.length, () => {
    return `<div class="review"><b>${writer.name()}</b> <meter max="5" value="${1 + stream.below(5)}"></meter><p>${writer.paragraph()}</p></div>\n`
  })
  return `${html}</div>\n${turnsOf(canvas)}`
}

/** Adds pieces until there are about `bytes` bytes; at least one. */
function fill(bytes: number, piece: () => string): string {
  let text = piece()
  // Half a piece is the expected overshoot: stopping that much earlier keeps the mean right.
  while (text.length + 120 < bytes) text += ` ${piece()}`
  return text
}

function byline({ writer, words, publishedAt }: Canvas): string {
  return `<p class="byline">${words.labels.by} <span rel="author">${writer.name()}</span>, ${time(publishedAt)}</p>\n`
}

function time(at: number): string {
  const text = new Date(at).toISOString()
  return `<time datetime="${text}">${text.slice(0, 10)}</time>`
}

function image({ writer, stream }: Canvas, width: number, height: number): string {
  const noun = writer.noun()
  return `<img src="/img/${noun.replaceAll(' ', '-')}-${stream.below(10_000)}.jpg" alt="${noun}" width="${width}" height="${height}" loading="lazy">`
}

function table({ writer, stream }: Canvas, rows: number): string {
  const row = () =>
    `<tr><td>${writer.noun()}</td><td>${writer.phrase()}</td><td>${stream.below(1000)}</td></tr>\n`
  const body = Array.from({ length: rows }, row).join('')
  return `<table><caption>${capital(writer.phrase())}</caption>\n<tr><th>A</th><th>B</th><th>N</th></tr>\n${body}</table>\n`
}

function codeOf({ writer, stream }: Canvas): string {
  const name = writer.noun().replaceAll(/[ -]/g, '_')
  return `<pre><code>${name} = open("${writer.phrase()}", ${stream.below(64)})\nif ${name} &gt; ${stream.below(9)} &amp;&amp; ready { close(${name}) }</code></pre>\n`
}

function inlineOf({ inline }: Canvas): string {
  return inline.length === 0 ? '' : ` (${inline.join('; ')})`
}

function turnsOf({ turns }: Canvas): string {
  return turns.length === 0 ? '' : `<p class="turns">${turns.join(' | ')}</p>\n`
}
