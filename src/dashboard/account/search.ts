import { searchReader } from '../app/search-params.ts'

export type AuditSearch = ReturnType<typeof readAuditSearch>

/** Days as `2026-11-22`, of the clock that times are shown by. `of`: a company, else the whole account. */
export const readAuditSearch = searchReader({
  action: 'text',
  by: 'text',
  of: 'text',
  kind: 'text',
  subject: 'text',
  from: 'text',
  to: 'text',
})
