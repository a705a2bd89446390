/** Limits of Telegram for a bot, and limits of its simulator. */
export const TELEGRAM_SIMULATOR_LIMITS = {
  textChars: 4_096,
  captionChars: 1_024,
  callbackDataBytes: 64,
  photoBytes: 10 * 1_048_576,
  fileBytes: 50 * 1_048_576,
  /** The limit of a file that a bot may fetch. */
  fetchedBytes: 20 * 1_048_576,
  requestBytes: 52 * 1_048_576,
  sendsPerSecond: 30,
  /** Time in ms that a chat shows the typing indicator if no message is sent. */
  typingMs: 5_000,
  updatesPerPoll: 100,
  longestWaitSeconds: 50,
  webhookSecret: /^[A-Za-z0-9_-]{1,256}$/,
} as const
