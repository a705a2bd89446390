import { searchReader } from '../app/search-params.ts'

/** The filters of the audit log, as the URL contains them. */
export type AuditSearch = ReturnType<typeof readAuditSearch>

/**
 * Reads the filters of the audit log. Days are written `2026-11-22`, by the clock that shows the times. `of` is a
 * company; without it the log is the whole account's.
 */
export const readAuditSearch = searchReader({
  action: 'text',
  by: 'text',
  of: 'text',
  kind: 'text',
  subject: 'text',
  from: 'text',
  to: 'text',
})
