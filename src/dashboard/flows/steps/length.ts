import type { SayStep } from './step-kind.ts'

const HOUR = 60
const DAY = 24 * HOUR

/** Returns a duration as a text, in the largest unit that gives a whole number. */
export function lengthOf(minutes: number, say: SayStep): string {
  if (minutes >= DAY && minutes % DAY === 0) return say('days', { n: minutes / DAY })
  if (minutes >= HOUR && minutes % HOUR === 0) return say('hours', { n: minutes / HOUR })
  return say('minutes', { n: minutes })
}
