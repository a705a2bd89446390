import type { GraphConnection } from './call-graph.ts'

/** Where a page or an account is at Messenger or Instagram and how to speak for it. */
export type MessagingConnection = GraphConnection & {
  /** By which the Graph API knows the sender: a page id, an account id, or `me`, who has the token. */
  sender: string
  /** Named where the sender is a page that speaks for another product. */
  platform: 'instagram' | null
  /** What goes along with a message comes back in its echo. */
  repeatsReferences: boolean
}
