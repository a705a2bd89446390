/** What Telegram takes from a bot, and how far the simulator of it goes. */
export const TELEGRAM_SIMULATOR_LIMITS = {
  textChars: 4_096,
  captionChars: 1_024,
  callbackDataBytes: 64,
  photoBytes: 10 * 1_048_576,
  fileBytes: 50 * 1_048_576,
  /** Of a file that a bot may fetch. */
  fetchedBytes: 20 * 1_048_576,
  requestBytes: 52 * 1_048_576,
  sendsPerSecond: 30,
  /** So long a chat shows that the bot writes, where nothing is sent. */
  typingMs: 5_000,
  updatesPerAsk: 100,
  longestWaitSeconds: 50,
  webhookSecret: /^[A-Za-z0-9_-]{1,256}$/,
} as const
