/** Internal limits of the widget and the form on merchants' websites, each with its unit in the name. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from './units.ts'

/** Bounds of a website channel's settings. */
export const SITE_LIMITS = {
  keyBytes: 16,
  origins: 20,
  originChars: 200,
  greetingChars: 300,
} as const

/** Limits of one visitor, of one address, and of all together. */
export const VISITOR_LIMITS = {
  tokenBytes: 32,
  /** Age at which a token is replaced, and absence after which a visitor is deleted. */
  tokenMs: 365 * DAY_MS,
  forgottenMs: 400 * DAY_MS,
  nameChars: 200,
  clientMessageIdChars: 100,
  bodyBytes: 32_768,
  /** Bytes of all bodies that arrive in one process. */
  budgetBytes: 4 * 1_048_576,
  pageMessages: 50,
  requestsPerAddressPerMinute: 600,
  messagesPerAddressPerMinute: 120,
  messagesPerVisitorPerMinute: 30,
  talksPerAddressPerHour: 60,
  uploadBytes: 10 * 1_048_576,
  uploadsPerAddressPerHour: 60,
  uploadsPerVisitorPerHour: 20,
  uploadedBytesOfVisitorPerDay: 50 * 1_048_576,
  /** Bytes of one address, counted by each process separately in whole units of `uploadedBytesCountedBy`. */
  uploadedBytesOfAddressPerDay: 100 * 1_048_576,
  uploadedBytesCountedBy: 1_048_576,
  /** Bytes of all visitors of an account's widgets. */
  uploadedBytesOfAccountPerDay: 1_024 * 1_048_576,
} as const

/** Limits of the stream of new messages to open widgets. */
export const STREAM_LIMITS = {
  ticketBytes: 32,
  ticketMs: MINUTE_MS,
  heartbeatMs: 20 * SECOND_MS,
  /** Longest life of a stream, which the widget reopens with a new ticket. */
  streamMs: 30 * MINUTE_MS,
  perVisitor: 8,
  perAddress: 400,
  inAll: 6_000,
  /** Unread bytes at which the stream ends. */
  unreadBytes: 65_536,
  /** Overlap that a reconnecting widget is sent again: messages may commit after later positions were read. */
  overlapMs: MINUTE_MS,
  messagesPerRead: 200,
  conversationsPerRead: 500,
  retryMs: SECOND_MS,
} as const

/** Limits of a website form. */
export const ENQUIRY_LIMITS = {
  perAddressPerMinute: 10,
  bodyBytes: 32_768,
  idChars: 100,
  nameChars: 200,
  phoneChars: 40,
  messageChars: 4_096,
  pageChars: 2_000,
  /** Shortest time in which a person fills in the form. */
  minMs: 2 * SECOND_MS,
  /** Oldest accepted time of sending. */
  oldestMs: 30 * DAY_MS,
} as const
