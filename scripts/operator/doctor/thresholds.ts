import { MINUTE_MS, SECOND_MS } from '../../../src/core/limits/units.ts'

/** When the doctor warns, when it speaks of a fault, and how long it waits for an answer. */
export const DOCTOR = {
  checkMs: 10 * SECOND_MS,
  /** Starting the embedded database after a crash included. */
  openMs: 60 * SECOND_MS,
  clockWarningMs: 5 * SECOND_MS,
  /** Receivers refuse signatures that are further off. */
  clockFaultMs: 5 * MINUTE_MS,
  /**
   * Connections of a process besides its pool: it hears of others' work, of changes of channels, of sessions that
   * end, and of what visitors are told.
   */
  listening: 4,
  diskWarningBytes: 2 * 1_073_741_824,
  diskFaultBytes: 268_435_456,
  lateWarningMs: MINUTE_MS,
  daysAheadWarning: 2,
} as const
