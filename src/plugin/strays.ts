// What a hook leaves behind in its thread: a promise that nobody waits for, a timer or a connection that throws
// later. It belongs to no page any more, and must not end the thread with pages that others wait for.
import process from 'node:process'

const passOver = (): void => {}

/** To be called when the thread has started: until then an error ends it, and says why. */
export function passOverStrays(): void {
  process.on('unhandledRejection', passOver)
  process.on('uncaughtException', passOver)
}
