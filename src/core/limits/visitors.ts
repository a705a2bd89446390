/** The numbers of the widget and the form on merchants' websites, each with its unit in the name. All ours. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from './units.ts'

/** Where a widget or form may stand, and what stands in it. */
export const SITE_LIMITS = {
  keyBytes: 16,
  origins: 20,
  originChars: 200,
  greetingChars: 300,
} as const

/** Of one who writes in a widget, of the address that they come from, and of all together. */
export const VISITOR_LIMITS = {
  tokenBytes: 32,
  /** A token is exchanged for another after so long; who was not seen for longer is forgotten. */
  tokenMs: 365 * DAY_MS,
  forgottenMs: 400 * DAY_MS,
  nameChars: 200,
  clientMessageIdChars: 100,
  bodyBytes: 32_768,
  /** Of all bodies that are arriving in one process. */
  roomBytes: 4 * 1_048_576,
  pageMessages: 50,
  requestsPerAddressPerMinute: 600,
  messagesPerAddressPerMinute: 120,
  messagesPerVisitorPerMinute: 30,
  talksPerAddressPerHour: 60,
  uploadBytes: 10 * 1_048_576,
  uploadsPerAddressPerHour: 60,
  uploadsPerVisitorPerHour: 20,
  uploadedBytesOfVisitorPerDay: 50 * 1_048_576,
  /** Of one address, by every process for itself, counted in whole parts of so many bytes. */
  uploadedBytesOfAddressPerDay: 100 * 1_048_576,
  uploadedBytesCountedBy: 1_048_576,
  /** Of all visitors of all widgets of an account. */
  uploadedBytesOfAccountPerDay: 1_024 * 1_048_576,
} as const

/** What is new, as it is told to those who have a widget open. */
export const STREAM_LIMITS = {
  ticketBytes: 32,
  ticketMs: MINUTE_MS,
  heartbeatMs: 20 * SECOND_MS,
  /** A stream is ended after so long, and opened anew with another ticket. */
  streamMs: 30 * MINUTE_MS,
  perVisitor: 8,
  perAddress: 400,
  inAll: 6_000,
  /** What a reader leaves unread ends the stream. */
  unreadBytes: 65_536,
  /** Told again to who comes back: what was written before their position may have been committed after it. */
  overlapMs: MINUTE_MS,
  messagesAtOnce: 200,
  conversationsAtOnce: 500,
  afterFaultMs: SECOND_MS,
} as const

/** What a form may send. */
export const ENQUIRY_LIMITS = {
  perAddressPerMinute: 10,
  bodyBytes: 32_768,
  idChars: 100,
  nameChars: 200,
  phoneChars: 40,
  messageChars: 4_096,
  pageChars: 2_000,
  /** Nobody fills in a form in less. */
  leastMs: 2 * SECOND_MS,
  /** A time of sending that lies further back is not believed. */
  oldestMs: 30 * DAY_MS,
} as const
