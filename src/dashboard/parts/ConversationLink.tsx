import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCompanyId } from '../app/company.ts'

/** To a conversation in the inbox. */
export function ConversationLink({ id, children }: { id: string; children: ReactNode }) {
  const company = useCompanyId()
  return (
    <Link to="/p/$company/inbox/$conversation" params={{ company, conversation: id }}>
      {children}
    </Link>
  )
}
