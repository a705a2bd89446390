import { z } from 'zod'
import { DASHBOARD_LIMITS } from '../../limits/doors.ts'
import type { Plan } from '../../vocabulary/accounts.ts'
import { PageQuery } from './page.ts'
import { formText } from './text.ts'

export const RenameAccount = z.strictObject({
  name: formText(1, DASHBOARD_LIMITS.accountNameChars),
})
export type RenameAccount = z.output<typeof RenameAccount>

/** The plan is shared by the account and its projects; only the operator changes it. */
export type AccountView = { id: string; name: string | null; plan: Plan; createdAt: string }

/** Of one company, or of the whole account; of one thing, as its history. */
export const AuditQuery = PageQuery.extend({
  companyId: z.uuid().optional(),
  subjectId: z.string().min(1).max(DASHBOARD_LIMITS.auditSubjectChars).optional(),
})
export type AuditQuery = z.output<typeof AuditQuery>

export type AuditView = {
  id: string
  /** Null: the service or its operator. */
  person: { id: string; name: string | null; email: string } | null
  action: string
  subjectKind: string
  subjectId: string
  companyId: string | null
  detail: Record<string, unknown> | null
  createdAt: string
}
