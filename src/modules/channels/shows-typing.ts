import type { ChannelAccess, FormValues } from './channel-access.ts'
import type { CustomerRef } from './inbound.ts'

/** To whom it is shown, and until when it may still be. */
export type TypingTarget = {
  customer: CustomerRef
  /** Of the customer's newest message, as the provider names it. */
  providerMessageId: string
  signal: AbortSignal
}

export type ShowsTyping<Credentials = FormValues> = {
  /** It goes out by itself, a little later than this. */
  everyMs: number
  /** What comes of it is nobody's concern: nothing is thrown for what the provider does. */
  show(channel: ChannelAccess<Credentials>, to: TypingTarget): Promise<unknown>
}
