import type { GraphConnection } from '../meta/call-graph.ts'

/** Where a number is at WhatsApp and how to speak for it. */
export type WhatsAppConnection = GraphConnection & {
  phoneNumberId: string
  businessAccountId: string
}
