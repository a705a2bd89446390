import type {
  AccountView,
  AuditFilter,
  AuditQuery,
  AuditView,
  AuditWords,
  NeedSecondFactor,
  RenameAccount,
} from '../account.ts'
import type { Page } from '../page.ts'
import type { Bytes, Route } from './route.ts'

export interface AccountRoutes {
  '/account': {
    get: Route<AccountView>
    patch: Route<AccountView, { json: typeof RenameAccount }>
  }
  '/account/second-factor': { put: Route<AccountView, { json: typeof NeedSecondFactor }> }
  '/audit': { get: Route<Page<AuditView>, { query: typeof AuditQuery }> }
  '/audit/words': { get: Route<AuditWords> }
  '/audit/exports': { post: Route<Bytes, { json: typeof AuditFilter }> }
}
