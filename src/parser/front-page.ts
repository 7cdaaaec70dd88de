const FRONT = /^https?:\/\/[^/?#]+\/?(?:(?:index|home|default)\.[a-z]+)?$/i

/** The page a site opens with. One with a query is one of many: `/?p=12`. */
export function isFrontPage(url: string): boolean {
  return FRONT.test(url)
}
