import { MINUTE_MS, SECOND_MS } from '../../../src/core/limits/units.ts'

/** Thresholds of the doctor's warnings and faults, and its timeouts. */
export const DOCTOR = {
  checkMs: 10 * SECOND_MS,
  /** Starting the embedded database after a crash included. */
  openMs: 60 * SECOND_MS,
  clockWarningMs: 5 * SECOND_MS,
  /** Difference of clocks from which receivers refuse signatures. */
  clockFaultMs: 5 * MINUTE_MS,
  /**
   * Connections of a process outside of its pool: they listen for work, changes of channels, ended sessions, and
   * visitors' messages.
   */
  listening: 1,
  diskWarningBytes: 2 * 1_073_741_824,
  diskFaultBytes: 268_435_456,
  /** Four segments of the write-ahead log. */
  lagWarningBytes: 64 * 1_048_576,
  lateWarningMs: MINUTE_MS,
  transactionWarningMs: 10 * MINUTE_MS,
  daysAheadWarning: 2,
} as const
