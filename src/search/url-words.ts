// Words by which `site:` and `filetype:` find pages. They stand in the columns of the host and the URL and begin with
// an apostrophe, as no word of a text does.
import { domainToASCII } from 'node:url'
import type { SearchedPage } from '../core/page.ts'
import { hostOf } from '../core/url.ts'
import { urlText, wordsOf } from './words.ts'

/** The end of a host name, before its port: `site:kompas.test` is the end of "www.kompas.test". */
const END_OF_HOST = "'"

/** The words of a host, in order; a phrase of them that ends with the mark is a domain. */
export function hostWords(host: string): string[] {
  const [, name = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
  return [...wordsOf(name), END_OF_HOST, ...wordsOf(port)]
}

/** What `site:` asks for: words of the host, or of the URL if it has a path; null if it names nothing. */
export function siteWords(written: string): { words: string[]; field: 'host' | 'url' } | null {
  const bare = written.replace(/^https?:\/\//i, '').replace(/^[*.]+/, '')
  const [, name = '', port = '', path = ''] = /^([^/:?#]*)(?::(\d*))?(.*)$/.exec(bare) ?? []
  const ascii = domainToASCII(name) || name
  if (wordsOf(ascii).length === 0) return null
  const host = port === '' ? ascii : `${ascii}:${port}`
  const inPath = wordsOf(urlText(path))
  if (inPath.length === 0) return { words: hostWords(host), field: 'host' }
  return { words: [...wordsOf(host), ...inPath], field: 'url' }
}

/** Types of files that have several names, and what servers call a type. */
const SAME_TYPE: Readonly<Record<string, string>> = {
  htm: 'html',
  xhtml: 'html',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'txt',
  text: 'txt',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/markdown': 'md',
}

/** By the content type and by the end of the URL: "report.php" is of the types php and html. */
export function typeWords({
  url,
  contentType,
}: Pick<SearchedPage, 'url' | 'contentType'>): string[] {
  const type = contentType.toLowerCase().split(';')[0]?.trim() ?? ''
  const path = url.slice(url.indexOf(hostOf(url))).replace(/[?#].*$/s, '')
  const ending = /\/[^/]*\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  const types = [SAME_TYPE[type] ?? '', SAME_TYPE[ending] ?? ending]
  return [...new Set(types)].filter((each) => each !== '').map(asType)
}

/** What `filetype:` asks for; null if it names nothing. */
export function typeWord(written: string): string | null {
  const type = written.toLowerCase().replace(/^\./, '')
  return /^[a-z0-9]{1,8}$/.test(type) ? asType(SAME_TYPE[type] ?? type) : null
}

function asType(type: string): string {
  return `'${type}`
}

/** True for words that no text has. */
export function isMark(word: string): boolean {
  return word.startsWith("'")
}
