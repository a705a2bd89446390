import type { GraphTemplate } from './message-templates.ts'

/** A business's number, as far as Meta knows it, and where its webhooks go. */
export type BusinessNumber = {
  phoneNumberId: string
  businessAccountId: string
  /** Digits. */
  displayPhoneNumber: string
  verifiedName: string
  accessToken: string
  appSecret: string
  webhookUrl: string
  templates: readonly GraphTemplate[]
}

export type Numbers = ReadonlyMap<string, BusinessNumber>
