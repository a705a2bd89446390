import { HOUR_MS } from '../../core/limits/units.ts'
import { now } from '../words/now.ts'

type Sum = { hour: string; attempts: number; failures: number }

/** Returns the attempts of each of the last hours up to the present one, oldest first; zeros for an hour without any. */
export function lastHours(sums: readonly Sum[], count: number): Sum[] {
  const known = new Map(sums.map((sum) => [Date.parse(sum.hour), sum]))
  const nowMs = now().getTime()
  const last = nowMs - (nowMs % HOUR_MS)
  return Array.from({ length: count }, (_, at) => {
    const start = last - (count - 1 - at) * HOUR_MS
    const hour = new Date(start).toISOString()
    return known.get(start) ?? { hour, attempts: 0, failures: 0 }
  })
}
