import { z } from 'zod'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import { storableTime } from './ordered-page.ts'
import { PageQuery, type Page } from './page.ts'
import { formText } from '../../schemas/form-text.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import type { Bytes, Route } from './route.ts'

/** The new name of an account. */
export const RenameAccount = z.strictObject({
  name: formText(1, DASHBOARD_LIMITS.accountNameChars),
})
export type RenameAccount = z.output<typeof RenameAccount>

/** The account's requirement that every member has a second factor. */
export const RequireSecondFactor = z.strictObject({ isNeeded: z.boolean() })

/** An account. Its plan is shared with its projects, and only the operator changes it. */
export type AccountView = {
  id: string
  name: string | null
  plan: Plan
  needsSecondFactor: boolean
  createdAt: string
}

const word = z.string().max(DASHBOARD_LIMITS.auditWordChars).transform(cleanText)

/**
 * A filter for one company, or for the whole account. `by` is a person's id, or `service` for entries without a
 * signed-in person.
 */
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
  /** The range includes `from` and excludes `to`. */
  from: storableTime.optional(),
  to: storableTime.optional(),
})
export type AuditFilter = z.output<typeof AuditFilter>

export const AuditQuery = PageQuery.extend(AuditFilter.shape)
export type AuditQuery = z.output<typeof AuditQuery>

/** The values that this account's log can be filtered by, in alphabetical order. */
export type AuditWords = { actions: string[]; subjectKinds: string[] }

/** An entry of the audit log. */
export type AuditView = {
  id: string
  /** The person is null if the service or its operator did it. */
  person: { id: string; name: string | null; email: string } | null
  action: string
  subjectKind: string
  subjectId: string
  /** The current name of the subject, or its name at deletion; null for a subject without a name. */
  subjectName: string | null
  companyId: string | null
  detail: Record<string, unknown> | null
  createdAt: string
}

export interface AccountRoutes {
  '/account': { get: Route<AccountView>; patch: Route<AccountView, { json: typeof RenameAccount }> }
  '/account/second-factor': { put: Route<AccountView, { json: typeof RequireSecondFactor }> }
  '/audit': { get: Route<Page<AuditView>, { query: typeof AuditQuery }> }
  '/audit/words': { get: Route<AuditWords> }
  '/audit/exports': { post: Route<Bytes, { json: typeof AuditFilter }> }
}
