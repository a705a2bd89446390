import type { ReactNode } from 'react'
import { PageLink } from './PageLink.tsx'

/** A link to a conversation in the inbox. */
export function ConversationLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <PageLink to="inbox/$conversation" params={{ conversation: id }}>
      {children}
    </PageLink>
  )
}
