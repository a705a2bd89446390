import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCompanyId } from '../app/company.ts'

/** To a conversation in the inbox. */
export function ConversationLink({ id, children }: { id: string; children: ReactNode }) {
  const company = useCompanyId()
  const to: string = `/p/${company}/inbox/${encodeURIComponent(id)}`
  return <Link to={to}>{children}</Link>
}
