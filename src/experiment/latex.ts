// Tables for papers: LaTeX with booktabs, one file each, and a document that has them all.
import type { Language } from '../core/languages.ts'
import type { Plan } from './experiment.ts'
import type { ShownTable } from './report-data.ts'

const WORDS: Readonly<Record<Language, { readonly mean: string; readonly best: string }>> = {
  en: {
    mean: 'Means with 95\\,\\% confidence intervals over the crawls of each row',
    best: 'bold: the best, and the next ones as long as the difference may be chance',
  },
  id: {
    mean: 'Rata-rata dengan selang kepercayaan 95\\,\\% atas crawl di setiap baris',
    best: 'tebal: yang terbaik, dan yang berikutnya selama selisihnya mungkin kebetulan',
  },
}

/** `origin` says where the figures come from, in a comment. */
export function latexTable(
  { name, title, left, groups, columns, rows }: ShownTable,
  { language, origin }: { readonly language: Language; readonly origin: string },
): string {
  const width = Math.max(1, left.length)
  const names = left.length > 0 ? left.map(escaped) : ['']
  const body = rows.map(({ labels, cells }) => {
    const values = cells.map((cell, at) => cellText(cell, columns[at]?.digits ?? 1))
    return line([...(labels.length > 0 ? labels.map(escaped) : ['']), ...values])
  })
  return `${[
    `% ${origin.replaceAll(/[\r\n]+/g, ' ')}`,
    '% needs \\usepackage{booktabs}',
    '\\begin{table}[t]',
    '  \\centering',
    `  \\caption{${headText(title)}${noteFor(rows, language)}.}`,
    `  \\label{tab:${name}}`,
    `  \\begin{tabular}{@{}${'l'.repeat(width)}${'r'.repeat(columns.length)}@{}}`,
    '    \\toprule',
    ...groupHeads(groups, width),
    line([...names, ...columns.map(({ head }) => headText(head))]),
    ...subHeads(columns, width),
    '    \\midrule',
    ...body,
    '    \\bottomrule',
    '  \\end{tabular}',
    '\\end{table}',
  ].join('\n')}\n`
}

function line(fields: readonly string[]): string {
  return `    ${fields.join(' & ')} \\\\`
}

function noteFor(rows: ShownTable['rows'], language: Language): string {
  const all = rows.flatMap(({ cells }) => cells)
  const words = WORDS[language]
  const notes = [
    ...(all.some(({ half }) => half !== null) ? [words.mean] : []),
    ...(all.some(({ isBest }) => isBest) ? [words.best] : []),
  ]
  return notes.length === 0 ? '' : `. ${notes.join('; ')}`
}

/** A document that shows all tables: `pdflatex main.tex`. */
export function latexDocument(plan: Plan, tables: readonly ShownTable[]): string {
  return `${[
    '\\documentclass[a4paper,landscape]{article}',
    '\\usepackage[utf8]{inputenc}',
    '\\usepackage[T1]{fontenc}',
    '\\usepackage{textcomp}',
    '\\usepackage[margin=1cm]{geometry}',
    '\\usepackage{booktabs}',
    '% a table begins in the normal size whatever is around it; wide ones need the small one',
    '\\makeatletter\\g@addto@macro\\@floatboxreset{\\footnotesize}\\makeatother',
    '\\begin{document}',
    `\\section*{${headText(plan.title)}}`,
    ...tables.map(({ name }) => `\\input{tables/${name}.tex}`),
    '\\end{document}',
  ].join('\n')}\n`
}

function groupHeads(groups: ShownTable['groups'], left: number): string[] {
  if (groups.length === 0) return []
  const heads = groups.map(({ title, span }) => `\\multicolumn{${span}}{c}{${escaped(title)}}`)
  let from = left + 1
  const rules = groups.map(({ span }) => {
    const rule = `\\cmidrule(lr){${from}-${from + span - 1}}`
    from += span
    return rule
  })
  return [`    ${'& '.repeat(left)}${heads.join(' & ')} \\\\`, `    ${rules.join(' ')}`]
}

/** A line for each part of `backlinks, G = 10, K = 10%`: on one line they are wider than any number. */
function subHeads(columns: ShownTable['columns'], left: number): string[] {
  const parts = columns.map(({ sub }) => (sub === '' ? [] : sub.split(', ')))
  const lines = Math.max(0, ...parts.map(({ length }) => length))
  return Array.from({ length: lines }, (_, at) => {
    const fields = parts.map((part) => escaped(part[at] ?? ''))
    return `    ${'& '.repeat(left)}${fields.join(' & ')} \\\\`
  })
}

/** `P_CS` is a letter with an index. */
function headText(head: string): string {
  return escaped(head).replaceAll(/\bP\\_(CS|ST|BC)\b/g, (_, index) => `$P_{\\mathrm{${index}}}$`)
}

function cellText(
  { mean, half, isBest }: ShownTable['rows'][number]['cells'][number],
  digits: number,
): string {
  if (mean === null) return '--'
  const shown = mean.toFixed(digits)
  const value = isBest ? `\\textbf{${shown}}` : shown
  return half === null ? value : `${value} $\\pm$ ${half.toFixed(digits)}`
}

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
}

/** Letters that pdfLaTeX has no font for become question marks. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[\\~^<>|"]|[#$%&_{}]/g, (sign) => SPECIAL[sign] ?? `\\${sign}`)
    .replaceAll(/[^\u0020-\u007e\u00a0-\u017f\u2010-\u2026]/gu, '?')
}
