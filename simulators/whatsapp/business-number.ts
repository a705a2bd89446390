import type { GraphTemplate } from './graph-template.ts'

/** A business's number in Meta's data, and the URL of its webhooks. */
export type BusinessNumber = {
  phoneNumberId: string
  businessAccountId: string
  /** The portfolio to which the number was moved, in which its customers have other ids. */
  portfolio?: string
  /** The number in digits. */
  displayPhoneNumber: string
  verifiedName: string
  accessToken: string
  appSecret: string
  webhookUrl: string
  templates: readonly GraphTemplate[]
}

/** The simulated numbers by their ids. */
export type Numbers = ReadonlyMap<string, BusinessNumber>
