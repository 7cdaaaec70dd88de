// Loaded before a program: its machine's clock is wrong by so many ms, as if nobody kept it.
const skewMs = Number(process.env.TEST_SKEW_MS ?? 0)
const RealDate = Date
const now = (): number => RealDate.now() + skewMs

class SkewedDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    // biome-ignore lint/suspicious/noExplicitAny: whatever a Date takes.
    super(...((given.length === 0 ? [now()] : given) as [any]))
  }

  static override now(): number {
    return now()
  }
}

globalThis.Date = SkewedDate as DateConstructor
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + skewMs })
