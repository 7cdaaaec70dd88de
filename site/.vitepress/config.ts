// The generator reads the pages that site/build.ts has made in site/.pages.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type MarkdownOptions } from 'vitepress'
import { anchorOf } from '../stage.ts'

type AnchorOptions = NonNullable<MarkdownOptions['anchor']>

const { sidebar, sidebarId, version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '.pages', 'navigation.json'), 'utf8'),
)

export default defineConfig({
  title: 'Jelajah',
  description: 'A polite, focused web crawler that feeds search engines',
  lang: 'en',
  base: process.env.DOCS_BASE ?? '/',
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.cache',
  head: [['link', { rel: 'icon', href: `${process.env.DOCS_BASE ?? '/'}icon.svg` }]],
  // The theme's own colours of code are too pale.
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf, permalink: headingLink },
  },
  locales: {
    root: { label: 'English', lang: 'en' },
    id: {
      label: 'Bahasa Indonesia',
      lang: 'id',
      themeConfig: {
        nav: [],
        sidebar: sidebarId,
        outline: { level: [2, 3], label: 'Di halaman ini' },
        docFooter: { prev: 'Sebelumnya', next: 'Berikutnya' },
        darkModeSwitchLabel: 'Tampilan',
        sidebarMenuLabel: 'Menu',
        returnToTopLabel: 'Kembali ke atas',
      },
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    i18nRouting: false,
    nav: [
      { text: 'Guides', link: '/guides/' },
      { text: 'Coming from', link: '/coming-from/' },
      { text: 'Commands', link: '/reference/commands/' },
      { text: 'HTTP', link: '/reference/http/' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    footer: { message: `Jelajah ${version}. MIT licence.` },
  },
})

type Heading = Parameters<NonNullable<AnchorOptions['permalink']>>

/** The generator's own puts an invisible character into every heading, which searches and copies would have, too. */
function headingLink(slug: string, _: Heading[1], state: Heading[2], at: Heading[3]): void {
  const heading = state.tokens[at + 1]
  const open = new state.Token('link_open', 'a', 1)
  const name = `Link to “${heading?.content}”`
  open.attrs = [
    ['class', 'header-anchor'],
    ['href', `#${slug}`],
    ['aria-label', name],
  ]
  heading?.children?.push(open, new state.Token('link_close', 'a', -1))
}
