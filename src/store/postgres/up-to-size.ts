// Reading a lot in short reads. Texts, links and bodies are some kilobytes mostly and some megabytes at
// worst, so how many rows one read gives is for the server to say: it knows how large they are without
// looking into them.

/**
 * The rows of a query in order, up to the one with which their sizes reach `bound`; that one too, so
 * there is one at least. The query names what is counted `size`; `sum` is what it came to so far.
 */
export function upToSize(query: string, order: string, bound: string): string {
  return `
    SELECT * FROM (
      SELECT found.*, (sum(size) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING))::bigint AS sum
      FROM (${query}) found
    ) summed
    WHERE sum - size < ${bound} ORDER BY ${order}`
}

/** How much the texts of these columns take, none where they are not there. */
export function sizeOf(columns: readonly string[]): string {
  if (columns.length === 0) return '0 AS size'
  const sizes = columns.map((column) => `coalesce(octet_length(${column}), 0)`)
  return `(${sizes.join(' + ')})::bigint AS size`
}

/**
 * To be joined to pages `p`: the row of a table that belongs to each. Looked up page by page, which the
 * server would not always choose: going through the whole table looks cheaper to it while it is small.
 */
export function ofPage(
  table: 'page_parts' | 'page_html',
  name: string,
  crawl = 'p.crawl_id',
): string {
  const row = `SELECT * FROM ${table} WHERE crawl_id = ${crawl} AND page_id = p.id LIMIT 1`
  return `LEFT JOIN LATERAL (${row}) ${name} ON true`
}
