/** Which of Meta's messaging products is played: they share a wire and differ in words, limits and receipts. */
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

/** How webhooks are to go astray; all of it happens at Meta. */
export type MessagingSwitches = {
  /** Every POST is made twice. */
  deliverTwice: boolean
  /** A delivery comes without the ids of what was delivered. */
  deliveryWithoutIds: boolean
  /** What customers write comes as if another app had the thread. */
  standby: boolean
  /** Ids are written as numbers. */
  numericIds: boolean
  /** What the account sends comes back, as where an app is subscribed to echoes. */
  echoes: boolean
}

export const USUAL_SWITCHES: MessagingSwitches = {
  deliverTwice: false,
  deliveryWithoutIds: false,
  standby: false,
  numericIds: false,
  echoes: true,
}

/** What becomes of the next message to a customer. */
export const FORCED = ['rate', 'fault', 'hang', 'lost'] as const
/** `rate` 613; `fault` a 5xx in its own words; `hang` taken and never answered; `lost` the line is cut before. */
export type Forced = (typeof FORCED)[number]
