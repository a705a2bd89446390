import type { GraphConnection } from './call-graph.ts'

/** The address and credentials of a page or an account at Messenger or Instagram. */
export type MessagingConnection = GraphConnection & {
  /** The sender's id at the Graph API: a page id, an account id, or `me` for the token's owner. */
  sender: string
  /** The product, when the sender is a page that sends for another product. */
  platform: 'instagram' | null
  /** States whether metadata of a message returns in its echo. */
  repeatsReferences: boolean
}
