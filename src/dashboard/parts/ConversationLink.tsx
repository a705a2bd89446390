import type { ReactNode } from 'react'
import { PageLink } from './PageLink.tsx'

/** To a conversation in the inbox. */
export function ConversationLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <PageLink to="inbox/$conversation" params={{ conversation: id }}>
      {children}
    </PageLink>
  )
}
