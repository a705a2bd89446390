import type {
  CreateHookUrl,
  HookShape,
  HookUrlView,
  NewHookUrl,
  Tried,
  TryPath,
  TryPhone,
} from '../hook-url.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Route } from './route.ts'

export interface HookUrlRoutes {
  '/companies/:companyId/hook-urls': {
    get: Route<Page<HookUrlView>, { query: typeof PageQuery }>
    post: Route<NewHookUrl, { json: typeof CreateHookUrl }>
  }
  '/companies/:companyId/hook-urls/:hookUrlId': {
    get: Route<HookUrlView>
    delete: Route<null>
  }
  '/companies/:companyId/hook-urls/:hookUrlId/replace': { post: Route<NewHookUrl> }
  '/companies/:companyId/hook-urls/:hookUrlId/shape': { get: Route<{ shape: HookShape | null }> }
  '/companies/:companyId/testers/path': { post: Route<Tried, { json: typeof TryPath }> }
  '/companies/:companyId/testers/phone': { post: Route<Tried, { json: typeof TryPhone }> }
}
