// The program in this process: the same code from its words to its exit code, without the start of
// another Node. For what does not depend on being a process of its own.
import { Readable } from 'node:stream'
import { runCommand } from '../../src/cli/run-command.ts'

process.env.JELAJAH_CONTACT = 'test'

export type End = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** One at a time: a process has one stdin and one stderr. */
export async function runHere(
  args: readonly string[],
  stdin: string | Uint8Array = '',
): Promise<End> {
  let stdout = ''
  using _given = giveStdin(stdin)
  using told = new StderrKept()
  const code = await runCommand(args, {
    write: async (text) => {
      stdout += text
    },
    warn: (text) => {
      told.text += text
    },
  })
  return { code, stdout, stderr: told.text }
}

/** Where a crawl tells how it goes. Its children have one of their own. */
class StderrKept implements Disposable {
  text = ''
  readonly #write = process.stderr.write

  constructor() {
    process.stderr.write = (piece) => {
      this.text += piece
      return true
    }
  }

  [Symbol.dispose](): void {
    process.stderr.write = this.#write
  }
}

function giveStdin(content: string | Uint8Array): Disposable {
  const own = Object.getOwnPropertyDescriptor(process, 'stdin')
  const value = Readable.from([Buffer.from(content)])
  Object.defineProperty(process, 'stdin', { value, configurable: true })
  return { [Symbol.dispose]: () => Object.defineProperty(process, 'stdin', own ?? {}) }
}
