// Files as TREC has them: topics (`id<TAB>text`), judgements (`qid 0 docno grade`) and runs
// (`qid Q0 docno place score name`). Documents are named by their URLs.
import type { Judgements } from './metrics.ts'

export type Topic = { readonly id: string; readonly text: string }
export type Ranked = { readonly url: string; readonly score: number }

/** Throws an Error that names the line that is none. */
export function readTopics(file: string): Topic[] {
  return linesOf(file).map(({ line, number }) => {
    const [id = '', ...text] = line.split('\t')
    if (id.trim() === '' || text.length === 0) throw wrong('topics', number, 'id<TAB>text')
    return { id: id.trim(), text: text.join(' ').trim() }
  })
}

/** By topic. A document that is judged twice has its last grade. */
export function readJudgements(file: string): Map<string, Judgements> {
  const all = new Map<string, Map<string, number>>()
  for (const { line, number } of linesOf(file)) {
    const [id = '', , docno, grade = ''] = line.trim().split(/\s+/)
    if (docno === undefined || !/^-?\d+$/.test(grade)) {
      throw wrong('judgements', number, 'qid 0 docno grade')
    }
    const judged = all.get(id) ?? new Map<string, number>()
    all.set(id, judged.set(docno, Number(grade)))
  }
  return all
}

export function writeTopics(topics: readonly Topic[]): string {
  return topics.map(({ id, text }) => `${id}\t${text.replaceAll(/\s+/g, ' ')}\n`).join('')
}

export function writeJudgements(all: ReadonlyMap<string, Judgements>): string {
  return [...all]
    .flatMap(([id, judged]) => [...judged].map(([docno, grade]) => `${id} 0 ${docno} ${grade}\n`))
    .join('')
}

/**
 * trec_eval orders a run by its scores and equal ones by name: so scores are written that fall from
 * place to place, whatever they were.
 */
export function writeRun(topic: string, ranked: readonly Ranked[], name: string): string {
  let last = Number.POSITIVE_INFINITY
  return ranked
    .map(({ url, score }, at) => {
      last = Math.min(Math.round(score * 1e6), last - 1)
      return `${topic} Q0 ${url} ${at + 1} ${(last / 1e6).toFixed(6)} ${name}\n`
    })
    .join('')
}

function linesOf(file: string): { line: string; number: number }[] {
  return file
    .split(/\r?\n/)
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() !== '')
}

function wrong(what: string, number: number, form: string): Error {
  return new Error(`line ${number} of the ${what} is not of the form '${form}'`)
}
