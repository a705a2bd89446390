import type { ChannelAccess, FormValues } from './channel-access.ts'
import type { CustomerRef } from './inbound.ts'

/** The recipient of a typing indicator. */
export type TypingTarget = {
  customer: CustomerRef
  /** The provider's id of the customer's newest message. */
  providerMessageId: string
  signal: AbortSignal
}

/** The typing indicator of a provider. */
export type TypingIndicator<Credentials = FormValues> = {
  /** The interval at which it is repeated, slightly shorter than its lifetime. */
  everyMs: number
  /** Shows the indicator. Errors of the provider are not thrown, as the result is irrelevant. */
  show(channel: ChannelAccess<Credentials>, to: TypingTarget): Promise<unknown>
}
