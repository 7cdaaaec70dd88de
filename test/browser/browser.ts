// A real Chromium, driven as a reader would, with an eye on what must never happen: an error in the
// console, a breach of the content security policy, a dialog that a stored page opened.
import assert from 'node:assert/strict'
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildDashboard } from '../support/build-dashboard.ts'

export type { Page } from 'playwright-core'

const ROOT = join(import.meta.dirname, '..', '..')
const ARTEFACTS = join(ROOT, 'test-artefacts')
/** The one without windows first: it takes two thirds of the time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
/** What a healthy machine under load still keeps. */
const PATIENCE_MS = 60_000

/** Draws by the processor what else a graphics card would: slow, and the same everywhere. */
export const WEBGL = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
] as const

export type Look = {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  readonly language?: 'en' | 'id'
}

export type Reader = AsyncDisposable & {
  readonly page: Page
  /** Everything that must not happen and did. */
  readonly troubles: readonly string[]
}

export type Chromium = AsyncDisposable & {
  /** A tab of its own, with nothing remembered. */
  open(look?: Look): Promise<Reader>
}

/** Also builds the dashboard where its sources changed. */
export async function openBrowser(flags: readonly string[] = []): Promise<Chromium> {
  buildDashboard()
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    // In a container there is often neither a sandbox to be had nor much shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...flags],
  })
  /** A tab that has forgotten all is as good as a new one, and opens at half the cost. */
  const idle = new Map<string, Tab[]>()
  return {
    async open(look = {}) {
      const key = JSON.stringify(look)
      const tab = idle.get(key)?.pop() ?? (await Tab.open(browser, look))
      const leave = async () => {
        if (await tab.forget()) idle.set(key, [...(idle.get(key) ?? []), tab])
      }
      return { page: tab.page, troubles: tab.troubles, [Symbol.asyncDispose]: leave }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

class Tab {
  readonly page: Page
  /** Of its present reader. */
  troubles: string[] = []

  static async open(browser: Browser, look: Look): Promise<Tab> {
    const { theme = 'light', width = 1280, height = 900, language = 'en' } = look
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: language === 'id' ? 'id-ID' : 'en-US',
      timezoneId: 'UTC',
    })
    return new Tab(await context.newPage())
  }

  constructor(page: Page) {
    this.page = page
    page.setDefaultTimeout(PATIENCE_MS)
    page.on('pageerror', (error) => this.troubles.push(`error: ${error.message}`))
    page.on('console', (message) => {
      // A breach of the content security policy is told here, too.
      if (message.type() === 'error')
        this.troubles.push(`console: ${message.text()} ${message.location().url}`)
    })
    page.on('dialog', (dialog) => {
      this.troubles.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
  }

  /** Whether nothing is left of its reader; a tab of which that is not certain is closed. */
  async forget(): Promise<boolean> {
    try {
      await this.page.evaluate('localStorage.clear(), sessionStorage.clear()')
      await this.page.context().clearCookies()
      await this.page.emulateMedia({ reducedMotion: null })
      await this.page.goto('about:blank')
      await this.page.removeAllListeners('request', { behavior: 'wait' })
      this.troubles = []
      return true
    } catch {
      await this.page.context().close()
      return false
    }
  }
}

function chromiumPath(): string {
  const { CHROMIUM = '', PATH = '' } = process.env
  const folders = ['/usr/bin', ...PATH.split(delimiter)]
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  const found = (CHROMIUM === '' ? places : [CHROMIUM]).find(isProgram)
  const advice = 'Install it (Debian: apt-get install chromium), or name one in CHROMIUM.'
  assert.ok(found !== undefined, `There is no Chromium for these tests. ${advice}`)
  return found
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** For people to look at: with `JELAJAH_SCREENSHOTS=1` in `test-artefacts/`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (process.env.JELAJAH_SCREENSHOTS !== '1') return
  mkdirSync(ARTEFACTS, { recursive: true })
  await page.screenshot({ path: join(ARTEFACTS, `${name}.png`), fullPage: true })
}

type Finding = {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

function axeSource(): string {
  return readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
}

/** No serious and no critical finding of axe in what is shown now. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axeSource())
  const findings: Finding[] = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  const grave = findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  assert.deepEqual(grave, [], `axe on ${what}`)
}

/** Nothing may be cut off at the side. */
export async function assertFits(page: Page, what: string): Promise<void> {
  const over = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
  assert.ok(Number(over) <= 0, `${what} is ${over} pixels too wide`)
}
