// Which labels of a model a crawl is after: the topic names them.
import { InvalidInput, shown } from '../core/errors.ts'

/** Of two labels, the one that needs no naming. */
const PLAIN = ['positive', 'pos', 'relevant', 'on-topic', 'topic', 'yes', 'true', '1']

/** `words`: a label, or several with commas between them, in any case; '' when none was named. */
export function wantedLabels(
  words: string,
  labels: readonly string[],
  file: string,
): readonly string[] {
  const find = (name: string) => labels.find((label) => folded(label) === folded(name))
  if (words === '') {
    const plain = labels.length === 2 ? labels.filter((label) => PLAIN.includes(folded(label))) : []
    if (plain.length === 1) return plain
    throw new InvalidInput(
      '--classifier',
      `${file} tells these apart: ${labels.join(', ')}; say which with --topic`,
    )
  }
  const whole = find(words)
  // A label may have a comma of its own.
  if (whole !== undefined) return [whole]
  return words.split(',').map((name) => {
    const label = find(name)
    if (label !== undefined) return label
    throw new InvalidInput(
      '--topic',
      `with --classifier names a label of the model, not ${shown(name.trim())}; ` +
        `${file} has: ${labels.join(', ')}`,
    )
  })
}

function folded(label: string): string {
  return label.trim().toLowerCase()
}
