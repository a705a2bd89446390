import type { AnsweringView } from '../assistant-reply.ts'
import type { SuggestionView } from '../assistant-trial.ts'
import type {
  AssignConversation,
  BulkClose,
  BulkClosed,
  ChannelName,
  CloseJobView,
  ConversationCounts,
  ConversationDetail,
  ConversationQuery,
  ConversationTimelineQuery,
  ConversationView,
  EditNote,
  EntryView,
  ListedPerson,
  SendReply,
  SentReply,
  StartConversation,
  StartableFlow,
  TakeOver,
  TimelineItem,
  WriteNote,
} from '../conversation.ts'
import type { NamedPageQuery } from '../ordered-page.ts'
import type { List, Page, PageQuery } from '../page.ts'
import type { EraseVisitor } from '../site.ts'
import type { TemplateView } from '../template.ts'
import type { Route } from '../route.ts'

export interface ConversationRoutes {
  '/companies/:companyId/conversations': {
    get: Route<Page<ConversationView>, { query: typeof ConversationQuery }>
    post: Route<SentReply, { json: typeof StartConversation }>
  }
  '/companies/:companyId/conversations/counts': { get: Route<ConversationCounts> }
  '/companies/:companyId/conversations/channels': {
    get: Route<Page<ChannelName>, { query: typeof PageQuery }>
  }
  '/companies/:companyId/conversations/bulk-close': {
    post: Route<BulkClosed, { json: typeof BulkClose }>
  }
  '/companies/:companyId/conversations/:conversationId': { get: Route<ConversationDetail> }
  '/companies/:companyId/conversations/:conversationId/timeline': {
    get: Route<Page<TimelineItem>, { query: typeof ConversationTimelineQuery }>
  }
  '/companies/:companyId/conversations/:conversationId/answering': { get: Route<AnsweringView> }
  '/companies/:companyId/conversations/:conversationId/suggestion': { post: Route<SuggestionView> }
  '/companies/:companyId/conversations/:conversationId/templates': {
    get: Route<List<TemplateView>>
  }
  '/companies/:companyId/conversations/:conversationId/flows': { get: Route<List<StartableFlow>> }
  '/companies/:companyId/conversations/:conversationId/take-over': {
    post: Route<ConversationView, { json: typeof TakeOver }>
  }
  '/companies/:companyId/conversations/:conversationId/assign': {
    post: Route<ConversationView, { json: typeof AssignConversation }>
  }
  '/companies/:companyId/conversations/:conversationId/give-back': { post: Route<ConversationView> }
  '/companies/:companyId/conversations/:conversationId/resolve': { post: Route<ConversationView> }
  '/companies/:companyId/conversations/:conversationId/reopen': { post: Route<ConversationView> }
  '/companies/:companyId/conversations/:conversationId/seen': { post: Route<null> }
  '/companies/:companyId/conversations/:conversationId/erase-visitor': {
    post: Route<null, { json: typeof EraseVisitor }>
  }
  '/companies/:companyId/conversations/:conversationId/messages': {
    post: Route<SentReply, { json: typeof SendReply }>
  }
  '/companies/:companyId/conversations/:conversationId/messages/:messageId': { delete: Route<null> }
  '/companies/:companyId/conversations/:conversationId/notes': {
    post: Route<EntryView, { json: typeof WriteNote }>
  }
  '/companies/:companyId/conversations/:conversationId/notes/:noteId': {
    patch: Route<EntryView, { json: typeof EditNote }>
    delete: Route<null>
  }
  '/companies/:companyId/people': {
    get: Route<Page<ListedPerson>, { query: typeof NamedPageQuery }>
  }
  '/companies/:companyId/close-jobs': {
    get: Route<Page<CloseJobView>, { query: typeof PageQuery }>
  }
  '/companies/:companyId/close-jobs/:closeJobId': { get: Route<CloseJobView> }
  '/companies/:companyId/close-jobs/:closeJobId/cancel': { post: Route<CloseJobView> }
}
