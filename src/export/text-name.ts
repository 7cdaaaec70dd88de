// Names of files for pages. The number makes each of them different, also where case does not count; the
// rest is for people to read, and made of nothing that a file system could take for something else.

const MAX_WORDS = 80
const FOLDER = 1000

/** `000012/12345-example.com-news-today.txt`. */
export function textName(id: number, url: string): string {
  const folder = String(Math.floor(id / FOLDER)).padStart(6, '0')
  const words = wordsOf(url)
  return `${folder}/${id}${words === '' ? '' : `-${words}`}.txt`
}

/** The number of the page in such a name, or null when it is none. */
export function idIn(name: string): number | null {
  const digits = /^\d{6,}\/(\d{1,16})(?:-[a-z0-9.-]*)?\.txt(?:\.gz)?$/.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

function wordsOf(url: string): string {
  return url
    .slice(0, 4 * MAX_WORDS)
    .replace(/^[a-z]+:\/\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, MAX_WORDS)
    .replace(/^[.-]+|[.-]+$/g, '')
}
