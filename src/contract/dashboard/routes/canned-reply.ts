import type {
  CannedReplyQuery,
  CannedReplyView,
  CreateCannedReply,
  EditCannedReply,
} from '../conversation.ts'
import type { List } from '../page.ts'
import type { Route } from '../route.ts'

export interface CannedReplyRoutes {
  '/companies/:companyId/canned-replies': {
    get: Route<List<CannedReplyView>, { query: typeof CannedReplyQuery }>
    post: Route<CannedReplyView, { json: typeof CreateCannedReply }>
  }
  '/companies/:companyId/canned-replies/:cannedReplyId': {
    patch: Route<CannedReplyView, { json: typeof EditCannedReply }>
    delete: Route<null>
  }
}
