// The clusters of a crawl as a report in Markdown. Titles and addresses come from pages, so nothing of them may be
// read as markup.
import { showCount } from '../../lib/format.ts'
import type { KeptCluster } from '../../store/cluster-store.ts'

/** A page that is typical of its cluster. */
export type TypicalPage = { readonly url: string; readonly title: string; readonly score: number }

export type ShownCluster = KeptCluster & {
  /** The nearest to the centre first; empty for what was kept. */
  readonly typical: readonly TypicalPage[]
  /** Pages by language. */
  readonly languages: Readonly<Record<string, number>>
}

const MAX_TITLE = 120
const SHOWN_LANGUAGES = 5

export function reportOf(
  crawl: { readonly id: number; readonly name: string },
  clusters: readonly ShownCluster[],
): string {
  const pages = clusters.reduce((sum, { size }) => sum + size, 0)
  return [
    `# Clusters of ${plain(crawl.name)}`,
    '',
    `${showCount(pages)} pages in ${clusters.length} clusters, by spherical k-means over TF-IDF.`,
    '',
    '| cluster | pages | share | cohesion | words |',
    '|--:|--:|--:|--:|---|',
    ...clusters.map((cluster) => rowOf(cluster, pages)),
    '',
    ...clusters.flatMap(detailsOf),
  ].join('\n')
}

function rowOf({ id, size, cohesion, terms }: ShownCluster, pages: number): string {
  const share = `${((100 * size) / Math.max(1, pages)).toFixed(1)} %`
  const words = terms.map(plain).join(', ')
  return `| ${id} | ${showCount(size)} | ${share} | ${cohesion.toFixed(2)} | ${words} |`
}

function detailsOf({ id, terms, typical, languages }: ShownCluster): string[] {
  const counted = Object.entries(languages).slice(0, SHOWN_LANGUAGES)
  return [
    `## ${id}: ${terms.slice(0, 3).map(plain).join(', ')}`,
    '',
    `Languages: ${counted.map(([tag, count]) => `${plain(tag)} ${showCount(count)}`).join(', ')}`,
    '',
    ...typical.map(
      ({ url, title, score }) => `- ${score.toFixed(2)} ${plain(title)} \`${code(url)}\``,
    ),
    '',
  ]
}

/** Text in which nothing is markup, on one line. */
function plain(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line.slice(0, MAX_TITLE).replace(/[\\`*_{}[\]()#+.!|<>&~-]/g, '\\$&')
}

function code(url: string): string {
  return url.replaceAll('`', '%60')
}
