/** Internal limits of the assistant's tools. */
import { DAY_MS, MINUTE_MS } from './units.ts'

/** Limits of the assistant's own tools: free times, bookings and handovers. Spec: Limits › Assistant. */
export const TOOL_LIMITS = {
  /** Free times of a day in one tool result. */
  timesFound: 12,
  /** Days that a search for free times looks ahead. */
  timesLookDays: 60,
  /** Time for which an offered time can be booked. */
  timeOfferedMs: 30 * MINUTE_MS,
  /** Retention of found times. */
  timesKeptMs: DAY_MS,
  /** Length of the reason that the model gives for a handover. */
  reasonTextChars: 500,
  /** Appointments of a customer in one tool result. */
  appointmentsListed: 10,
  nameChars: 200,
  phoneChars: 40,
} as const
