// Numbers and times for display.

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** `42s`, `3m 20s`, `2h 05m`, `4d 3h`. */
export function showSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < MINUTE) return `${whole}s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}m ${two(whole % MINUTE)}s`
  if (whole < DAY)
    return `${Math.floor(whole / HOUR)}h ${two(Math.floor((whole % HOUR) / MINUTE))}m`
  return `${Math.floor(whole / DAY)}d ${Math.floor((whole % DAY) / HOUR)}h`
}

/** A duration: `0.4s` where whole seconds would be 0. */
export function showTook(seconds: number): string {
  return seconds < 1 ? `${Math.max(0.1, seconds).toFixed(1)}s` : showSeconds(seconds)
}

/** `1,234,567`. */
export function showCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 page`, `2,000 pages`. */
export function showNumber(count: number, one: string, many = `${one}s`): string {
  return `${showCount(count)} ${count === 1 ? one : many}`
}

/** `950 B`, `1.2 MB`. */
export function showBytes(bytes: number): string {
  let value = bytes
  for (const unit of ['B', 'kB', 'MB', 'GB']) {
    if (value < 1000) return `${unit === 'B' ? value : value.toFixed(1)} ${unit}`
    value /= 1000
  }
  return `${value.toFixed(1)} TB`
}

/** `12.3` below a hundred, then without a fraction. */
export function showRate(perSecond: number): string {
  return perSecond < 100 ? perSecond.toFixed(1) : showCount(perSecond)
}

/** `42 %`; below ten with one more digit. */
export function showPercent(share: number): string {
  const percents = share * 100
  return `${percents > 0 && percents < 9.95 ? percents.toFixed(1) : Math.round(percents)} %`
}

/** `2024-05-01 12:30:00Z`. */
export function showTime(epochMs: number): string {
  return new Date(epochMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z')
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
