import type { GraphTemplate } from './graph-template.ts'

/** A business's number in Meta's data, and the URL of its webhooks. */
export type BusinessNumber = {
  phoneNumberId: string
  businessAccountId: string
  /** Once the number was moved to another portfolio: its customers have other ids there. */
  portfolio?: string
  /** Digits. */
  displayPhoneNumber: string
  verifiedName: string
  accessToken: string
  appSecret: string
  webhookUrl: string
  templates: readonly GraphTemplate[]
}

export type Numbers = ReadonlyMap<string, BusinessNumber>
