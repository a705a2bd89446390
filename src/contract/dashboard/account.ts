import { z } from 'zod'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import { placeInTime } from './ordered-page.ts'
import { PageQuery } from './page.ts'
import { formText } from '../../schemas/form-text.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'

export const RenameAccount = z.strictObject({
  name: formText(1, DASHBOARD_LIMITS.accountNameChars),
})
export type RenameAccount = z.output<typeof RenameAccount>

/** Whether every member of the account needs a second factor. */
export const NeedSecondFactor = z.strictObject({ isNeeded: z.boolean() })

/** The plan is shared by the account and its projects; only the operator changes it. */
export type AccountView = {
  id: string
  name: string | null
  plan: Plan
  needsSecondFactor: boolean
  createdAt: string
}

const word = z.string().max(DASHBOARD_LIMITS.auditWordChars).transform(cleanText)

/** Of one company, or of the whole account. `by` is a person's id, or `service` for what nobody signed in did. */
export const AuditFilter = z.object({
  companyId: uuidInput.optional(),
  by: z.union([z.literal('service'), uuidInput]).optional(),
  action: word.optional(),
  subjectKind: word.optional(),
  subjectId: z
    .string()
    .min(1)
    .max(DASHBOARD_LIMITS.auditSubjectChars)
    .transform(cleanText)
    .optional(),
  /** From this instant on, and before that one. */
  from: placeInTime.optional(),
  to: placeInTime.optional(),
})
export type AuditFilter = z.output<typeof AuditFilter>

export const AuditQuery = PageQuery.extend(AuditFilter.shape)
export type AuditQuery = z.output<typeof AuditQuery>

/** What there is to filter by in this account, in the order of the alphabet. */
export type AuditWords = { actions: string[]; subjectKinds: string[] }

export type AuditView = {
  id: string
  /** Null: the service or its operator. */
  person: { id: string; name: string | null; email: string } | null
  action: string
  subjectKind: string
  subjectId: string
  /** How it is called now, or was when it was deleted; null where it has no name. */
  subjectName: string | null
  companyId: string | null
  detail: Record<string, unknown> | null
  createdAt: string
}
