/** Retention periods and the limits of the sweep that enforces them. */
import { SECOND_MS, HOUR_MS, DAY_MS } from './units.ts'

/** Periods after which stored rows are deleted. Spec: Retention › Retention periods. */
export const RETENTION = {
  deliveryLogMs: 30 * DAY_MS,
  waitingEventMs: 7 * DAY_MS,
  runMs: 90 * DAY_MS,
  runStepMs: 30 * DAY_MS,
  callLogMs: 14 * DAY_MS,
  closeJobMs: 30 * DAY_MS,
  recipientMs: 90 * DAY_MS,
  auditMs: 400 * DAY_MS,
  identityChangeMs: 400 * DAY_MS,
  /** Internal periods, from here to the end. */
  noticeMs: 90 * DAY_MS,
  contactImportMs: 30 * DAY_MS,
  reminderMs: 90 * DAY_MS,
  /** Period from the end of the appointment. */
  appointmentLinkMs: 90 * DAY_MS,
  deliveryHourMs: 30 * DAY_MS,
  minuteCountMs: DAY_MS,
  /** Usage by UTC day, for the usage page. */
  usageDayMs: 30 * DAY_MS,
} as const

/** Internal limits of the retention sweep, which must delay no other work. */
export const SWEEP = {
  everyMs: HOUR_MS,
  rowsPerStatement: 1_000,
  /** Statements of one kind per pass; the rest waits for the next pass. */
  passesPerRun: 10,
  againMs: 5 * SECOND_MS,
  /** Days of the partitioned tables that are made ahead, after today. */
  daysAhead: 7,
  /** Lock timeout for dropping the partition of a day; after it the drop is tried again in a later pass. */
  dayLockMs: 1 * SECOND_MS,
} as const
