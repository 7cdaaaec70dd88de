// The parser of a crawl with plug-ins: a page is read as always, then goes through the hooks, and is judged
// after that. A crawl without plug-ins loads none of this.
import type { Found } from '../core/link.ts'
import type { PluginRecord } from '../core/plugin.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { Judge, Ordering, Signals } from '../ordering/ordering.ts'
import { HookError } from '../plugin/call-hook.ts'
import { HookMark } from '../plugin/hook-mark.ts'
import { loadRecorded } from '../plugin/load-plugin.ts'
import { PageHooks } from '../plugin/page-hooks.ts'
import type { PluginPage } from '../plugin/plugin.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { decodeFound, encodeFound } from '../wire/receipt.ts'
import type { FieldReader } from './fields/field-reader.ts'
import { type Focus, type FocusOptions, type FocusText, resultWithoutFocus } from './focus.ts'
import {
  createPageParser,
  openFields,
  type PageParser,
  type PageParserOptions,
} from './parse-page.ts'
import type { ParseResult } from './parse-result.ts'
import type { ResolvedLinks } from './parts/link-list.ts'

export type PluggedOptions = PageParserOptions & {
  readonly focus?: FocusOptions
  readonly plugins: readonly PluginRecord[]
  /** The buffer of the `HookMark`, which the watcher of this thread has too. */
  readonly hookMark: SharedArrayBuffer
}

type Page = Extract<ParseResult, { outcome: 'page' }>
type Captured = { readonly text: FocusText; readonly links: ResolvedLinks }

export async function openPlugged(options: PluggedOptions): Promise<PluggedParser> {
  const mark = new HookMark(
    options.plugins.map(({ name }) => name),
    options.hookMark,
  )
  const plugins = []
  for (const record of options.plugins) plugins.push(await loadRecorded(record))
  const hooks = new PageHooks(plugins, mark)
  const owner = plugins.find(({ ordering }) => ordering?.name === options.focus?.ordering)
  const own = owner?.ordering && guarded(owner.ordering, owner.name, mark)
  const focus =
    options.focus &&
    (await import('./open-focus.ts')).openFocus(options.focus, {
      ...(own && { ordering: own }),
      isJudged: hooks.judges,
    })
  return new PluggedParser(options, hooks, focus ?? null, await openFields(options))
}

export class PluggedParser {
  readonly #parse: PageParser
  readonly #hooks: PageHooks
  readonly #focus: Focus | null
  #captured: Captured | null = null

  constructor(
    options: PageParserOptions,
    hooks: PageHooks,
    focus: Focus | null,
    fields: FieldReader | null = null,
  ) {
    this.#hooks = hooks
    this.#focus = focus
    const capture = {
      judge: (text: FocusText, links: ResolvedLinks) => {
        this.#captured = { text, links }
        return resultWithoutFocus(links.found)
      },
    }
    this.#parse = createPageParser(options, capture, fields)
  }

  async parse(head: HandoverHead, body: Uint8Array): Promise<ParseResult> {
    this.#captured = null
    const parsed = this.#parse(head, body)
    if (parsed.outcome !== 'page' || this.#captured === null) return parsed
    try {
      return await this.#hooked(head, parsed, this.#captured)
    } catch (error) {
      if (error instanceof HookError) return { outcome: 'failed', reason: error.message }
      throw error
    }
  }

  signalsForUrl(url: CanonicalUrl): Signals | null {
    return this.#focus?.signalsForUrl(url) ?? null
  }

  /** The entries of a sitemap, with those barred that a plug-in refuses. */
  async admitted(head: HandoverHead, foundBlock: Uint8Array): Promise<Uint8Array> {
    if (!this.#hooks.admits) return foundBlock
    const entry = { anchor: '', rel: '', context: '', page: head.url, via: 'sitemap' } as const
    return encodeFound(
      await Promise.all(
        decodeFound(foundBlock).map(async (found) => {
          const { url, hash, nofollow, signals } = found
          const barred = await this.#hooks.bars({ ...entry, url, depth: head.depth + 1 })
          return { url, hash, nofollow, signals, ...(barred && { nofollow: true, barred }) }
        }),
      ),
    )
  }

  async #hooked(head: HandoverHead, parsed: Page, captured: Captured): Promise<ParseResult> {
    const { fields } = parsed.page
    const read = pageFor(head, parsed, captured)
    const {
      page,
      fields: added,
      dropped,
    } = fields.noindex ? { page: read, fields: {}, dropped: null } : await this.#hooks.parsed(read)
    const links = await this.#admittedLinks(head, captured.links)
    const relevance = await this.#hooks.judge(page)
    const text = { ...captured.text, ...textOf(page) }
    const seen = this.#focus?.judge(text, links, relevance) ?? {
      ...resultWithoutFocus(links.found),
    }
    const { found, judged, hot } = seen
    const { likeness } = parsed
    const foundBlock = encodeFound(found)
    const reason = dropped ?? seen.refusal
    if (reason !== null) {
      return { outcome: 'refused', reason, foundBlock, likeness, judged, relevance: seen.relevance }
    }
    const { language, author, keywords, kind, publishedAt } = page
    const facts = fields.noindex ? {} : { ...textOf(page), language, author, keywords, kind }
    const about = Object.keys(added).length === 0 ? fields.about : withFields(fields.about, added)
    const markdown = markdownOf(fields.markdown, { was: read.contentText, is: page.contentText })
    const row = {
      ...fields,
      ...facts,
      markdown,
      publishedAt,
      about,
      relevance: seen.relevance,
      hot,
    }
    return { ...parsed, page: { ...parsed.page, fields: row }, foundBlock, judged }
  }

  async #admittedLinks({ url, depth }: HandoverHead, links: ResolvedLinks): Promise<ResolvedLinks> {
    if (!this.#hooks.admits) return links
    const found: Found[] = []
    for (const [at, link] of links.found.entries()) {
      const [, anchor = '', rel = '', context = ''] = links.rows[at] ?? []
      const asked = { url: link.url, anchor, rel, context, page: url, depth: depth + 1 }
      const barred = link.nofollow ? null : await this.#hooks.bars({ ...asked, via: 'link' })
      found.push(barred === null ? link : { ...link, nofollow: true, barred })
    }
    return { ...links, found }
  }
}

function pageFor(head: HandoverHead, parsed: Page, { text, links }: Captured): PluginPage {
  const { fields } = parsed.page
  const { keywords, author, kind, publishedAt, statusCode, contentType, about } = fields
  const { url, title, description, contentText, language } = text
  return {
    ...{ url, title, description, contentText, language, depth: head.depth },
    ...{ keywords, author, kind, publishedAt, statusCode, contentType },
    about: JSON.parse(about),
    links: links.rows.map(([url, anchor, rel, context = '']) => ({ url, anchor, rel, context })),
  }
}

function textOf({ title, description, contentText }: PluginPage) {
  return { title, description, contentText }
}

/** What a plug-in took out of the text must not stay in the Markdown. */
function markdownOf(markdown: string, text: { readonly was: string; readonly is: string }): string {
  return markdown === '' || text.was === text.is ? markdown : text.is
}

function withFields(about: string, fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...JSON.parse(about), fields })
}

/** The parser's side of an ordering from a plug-in: what it answers is checked. */
function guarded(ordering: Ordering, plugin: string, mark: HookMark): Ordering {
  const call = <T>(work: () => T): T => {
    mark.enter(plugin, 'ordering')
    try {
      return work()
    } catch (error) {
      throw new HookError(plugin, 'ordering', error)
    } finally {
      mark.leave()
    }
  }
  const signals = (work: () => Signals | null): Signals => {
    const answer: unknown = call(work)
    if (Array.isArray(answer) && answer.length < MAX_SIGNALS && answer.every(Number.isFinite)) {
      return answer
    }
    throw new HookError(plugin, 'ordering', 'a judge answers with lists of finite numbers')
  }
  const { judge: open } = ordering
  if (open === undefined) return ordering
  return {
    ...ordering,
    judge: (brief): Judge => {
      const judge = call(() => open.call(ordering, brief))
      return {
        page: (page) => signals(() => judge.page(page)),
        link: (link) => signals(() => judge.link(link)),
        listed: (url) =>
          judge.listed === undefined ? null : signals(() => judge.listed?.(url) ?? []),
      }
    },
  }
}

const MAX_SIGNALS = 255
