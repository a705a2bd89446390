/** The simulated messaging product of Meta. Both share a protocol and differ in words, limits and receipts. */
export type Product = 'messenger' | 'instagram'

/** A page or a professional account, and where its webhooks go. */
export type MessagingAccount = {
  /** Page id, or the id of the Instagram account. */
  id: string
  name: string
  accessToken: string
  appSecret: string
  webhookUrl: string
}

/** Faults of webhooks, all of which occur at Meta. */
export type MessagingSwitches = {
  /** Every POST is made twice. */
  deliverTwice: boolean
  /** A delivery receipt has no ids of messages. */
  deliveryWithoutIds: boolean
  /** Messages of customers arrive as if another app controlled the thread. */
  standby: boolean
  /** Ids are written as numbers. */
  numericIds: boolean
  /** The account's own messages are reported, as for an app that subscribed to echoes. */
  echoes: boolean
}

/** Webhooks as Meta usually sends them, without faults. */
export const USUAL_SWITCHES: MessagingSwitches = {
  deliverTwice: false,
  deliveryWithoutIds: false,
  standby: false,
  numericIds: false,
  echoes: true,
}

/** Forced outcomes of the next message to a customer. */
export const FORCED = ['rate', 'fault', 'hang', 'lost'] as const
/**
 * A forced outcome. `rate`: error 613. `fault`: a 5xx status with its own text. `hang`: accepted and never answered.
 * `lost`: the connection breaks before.
 */
export type Forced = (typeof FORCED)[number]
