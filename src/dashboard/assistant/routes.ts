import { page } from '../frame/routes.tsx'
import { knowledgeRoutes } from './knowledge/routes.ts'
import { readRepliesSearch, readTrialSearch } from './search.ts'

export const assistantRoutes = [
  page('assistant', () => import('./AssistantSettings.tsx'), 'AssistantSettings'),
  ...knowledgeRoutes,
  page('assistant/replies', () => import('./replies/Replies.tsx'), 'Replies', readRepliesSearch),
  page('assistant/replies/$reply', () => import('./replies/Trace.tsx'), 'Trace'),
  page('assistant/try', () => import('./trial/Trial.tsx'), 'Trial', readTrialSearch),
] as const
