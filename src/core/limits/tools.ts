/** The numbers of what the assistant can do besides talking. All ours. */
import { DAY_MS, MINUTE_MS } from './units.ts'

/** Spec: Limits › Assistant. */
export const TOOL_LIMITS = {
  /** Free times of a day that the model is told of at once. */
  timesFound: 12,
  /** How far ahead it looks, in days. */
  timesLookDays: 60,
  /** A time that the customer was told can be booked for so long. */
  timeOfferedMs: 30 * MINUTE_MS,
  /** How long times that were found are kept. */
  timesKeptMs: DAY_MS,
  /** Of what the model says for staff when it hands over. */
  reasonTextChars: 500,
  /** Appointments of a customer that it is told of. */
  appointmentsListed: 10,
  nameChars: 200,
  phoneChars: 40,
} as const
