import type { AssistantWithDefaults, EditAssistant } from '../assistant.ts'
import type { GiveFeedback, ReplyDetail, ReplyQuery, ReplyView } from '../assistant-reply.ts'
import type { TrialView, TryAssistant } from '../assistant-trial.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'

export interface AssistantRoutes {
  '/companies/:companyId/assistant': {
    get: Route<AssistantWithDefaults>
    patch: Route<AssistantWithDefaults, { json: typeof EditAssistant }>
  }
  '/companies/:companyId/assistant/try': { post: Route<TrialView, { json: typeof TryAssistant }> }
  '/companies/:companyId/assistant/replies': {
    get: Route<Page<ReplyView>, { query: typeof ReplyQuery }>
  }
  '/companies/:companyId/assistant/replies/:replyId': { get: Route<ReplyDetail> }
  '/companies/:companyId/assistant/replies/:replyId/feedback': {
    put: Route<ReplyDetail, { json: typeof GiveFeedback }>
  }
}
