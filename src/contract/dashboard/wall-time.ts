import { z } from 'zod'
import { ruleCode } from '../../schemas/broken-rule.ts'

/** `09:00` in minutes from midnight, to `24:00`. */
export const wallTime = z
  .string()
  .regex(/^(?:([01]\d|2[0-3]):[0-5]\d|24:00)$/, { error: ruleCode('wrong_wall_time'), abort: true })
  .transform(minutesOf)

/** `09:00` in minutes from midnight, to `36:00`: times past `24:00` are of the following night. */
export const nightTime = z
  .string()
  .regex(/^(?:([0-2]\d|3[0-5]):[0-5]\d|36:00)$/, {
    error: ruleCode('wrong_night_time'),
    abort: true,
  })
  .transform(minutesOf)

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return hours! * 60 + minutes!
}

/** Formats minutes from midnight as `09:00`. */
export function formatWallTime(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
