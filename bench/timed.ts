// Time on the clock and on the processor, in microseconds.

export type Spent = { us: number; cpuUs: number }

export async function timed(work: () => Promise<unknown>): Promise<Spent> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  await work()
  const us = (performance.now() - began) * 1000
  const { user, system } = process.cpuUsage(cpu)
  return { us, cpuUs: user + system }
}

export function addTo(total: Spent, more: Spent): void {
  total.us += more.us
  total.cpuUs += more.cpuUs
}

export function round(value: number, digits = 1): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6)
}
