// The commands of a guide and what they print, as its Markdown has them:
//
//   ```sh              commands to run, one after the other
//   ```sh background   a program that stays up until the guide ends
//   ```sh example      commands that cannot be run here
//   ```text            what the commands before it print; a line "…" stands for the rest
//   ```text varies     the same, where only the first line is the same each time but for its numbers

export type Step = {
  readonly kind: 'run' | 'background' | 'example'
  readonly script: string
  /** What it prints; null: the guide does not say. */
  readonly shown: Shown | null
}

export type Shown = {
  readonly lines: readonly string[]
  readonly varies: boolean
  /** Where the lines begin and end in the text of the guide. */
  readonly from: number
  readonly to: number
}

const FENCE = /^```(\w*)( [\w-]+)?\n(.*?)^```$/gms

export function stepsOf(text: string): readonly Step[] {
  const steps: Step[] = []
  for (const found of text.matchAll(FENCE)) {
    const [whole, language, mark = '', inside = ''] = found
    if (language === 'sh') {
      const kind = mark.trim() === '' ? 'run' : mark.trim()
      if (kind !== 'run' && kind !== 'background' && kind !== 'example') {
        throw new Error(`a guide has a block "sh ${kind}"; it may be: background, example`)
      }
      steps.push({ kind, script: inside, shown: null })
    }
    const last = steps.pop()
    if (last === undefined) continue
    if (language !== 'text' || last.shown !== null) {
      steps.push(last)
      continue
    }
    const from = found.index + whole.indexOf('\n') + 1
    const lines = inside.replace(/\n$/, '').split('\n')
    const shown = { lines, varies: mark.trim() === 'varies', from, to: from + inside.length }
    steps.push({ ...last, shown })
  }
  return steps
}

/** Lines of the guide that were not printed; numbers may be others. */
export function missingLines(shown: Shown, printed: string): readonly string[] {
  const there = printed.split('\n').map(masked)
  const wanted = shown.lines.filter((line) => line.trim() !== '…')
  if (shown.varies) return masked(wanted[0] ?? '') === there[0] ? [] : wanted.slice(0, 1)
  return wanted.filter((line) => !there.includes(masked(line)))
}

/** What is printed, cut as the guide cuts it. */
export function shownAs(shown: Shown, printed: string): string {
  const cut = shown.lines.findIndex((line) => line.trim() === '…')
  const lines = printed.replace(/\n+$/, '').split('\n')
  const kept = cut < 1 || lines.length <= cut ? lines : [...lines.slice(0, cut), '…']
  return `${kept.join('\n')}\n`
}

function masked(line: string): string {
  return line
    .replaceAll(/[\d][\d.,:]*/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

export type TypedCommand = { readonly name: string; readonly flags: readonly string[] }

/** The commands of ours in a script, with the names of their flags. */
export function typedCommands(script: string): readonly TypedCommand[] {
  const joined = script.replaceAll(/\\\n/g, ' ')
  const lines = joined.split('\n').map((line) => line.replace(/(^|\s)#.*$/, ''))
  return lines
    .flatMap((line) => line.split(/[|;]|&&|\$\(/))
    .flatMap((line) => {
      const found = /^(?:env )?(?:\w+=\S* )*(?:bin\/)?jelajah ([a-z]+)(.*)$/.exec(line.trim())
      if (found === null) return []
      const [, name = '', rest = ''] = found
      const words = rest
        .replaceAll(/'[^']*'|"[^"]*"/g, '…')
        .replace(/ -- .*$/, '')
        .split(/\s+/)
      const flags = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.slice(2))
      return [{ name, flags: flags.map((flag) => flag.replace(/=.*$/, '')) }]
    })
}
