import type { GraphConnection } from '../meta/call-graph.ts'

/** The address and credentials of a number on WhatsApp. */
export type WhatsAppConnection = GraphConnection & {
  phoneNumberId: string
  businessAccountId: string
}
