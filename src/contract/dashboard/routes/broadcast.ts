import type {
  BroadcastCheck,
  BroadcastView,
  CreateBroadcast,
  EditBroadcast,
  RecipientQuery,
  RecipientView,
  ResumeBroadcast,
  StartBroadcast,
  TestBroadcast,
} from '../broadcast.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Route } from './route.ts'

export interface BroadcastRoutes {
  '/companies/:companyId/broadcasts': {
    get: Route<Page<BroadcastView>, { query: typeof PageQuery }>
    post: Route<BroadcastView, { json: typeof CreateBroadcast }>
  }
  '/companies/:companyId/broadcasts/:broadcastId': {
    get: Route<BroadcastView>
    patch: Route<BroadcastView, { json: typeof EditBroadcast }>
    delete: Route<null>
  }
  '/companies/:companyId/broadcasts/:broadcastId/check': { post: Route<BroadcastCheck> }
  '/companies/:companyId/broadcasts/:broadcastId/test': {
    post: Route<null, { json: typeof TestBroadcast }>
  }
  '/companies/:companyId/broadcasts/:broadcastId/start': {
    post: Route<BroadcastView, { json: typeof StartBroadcast }>
  }
  '/companies/:companyId/broadcasts/:broadcastId/pause': { post: Route<BroadcastView> }
  '/companies/:companyId/broadcasts/:broadcastId/resume': {
    post: Route<BroadcastView, { json: typeof ResumeBroadcast }>
  }
  '/companies/:companyId/broadcasts/:broadcastId/cancel': { post: Route<BroadcastView> }
  '/companies/:companyId/broadcasts/:broadcastId/send-failed-again': { post: Route<BroadcastView> }
  '/companies/:companyId/broadcasts/:broadcastId/recipients': {
    get: Route<Page<RecipientView>, { query: typeof RecipientQuery }>
  }
}
