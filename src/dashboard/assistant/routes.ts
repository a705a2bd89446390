import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { REPLY_OUTCOMES, type ReplyOutcome } from '../../vocabulary/assistant-setup.ts'
import { companyRoute } from '../app/routes.tsx'
import { oneIn } from '../app/search-params.ts'
import { knowledgeRoutes } from './knowledge/routes.ts'

const FEEDBACK = ['good', 'bad'] as const

export type RepliesSearch = {
  outcome?: ReplyOutcome
  /** Called good or bad by somebody. */
  feedback?: (typeof FEEDBACK)[number]
}

export type TrialSearch = {
  /** The id of a reply: the talk begins with what it answers. */
  heard?: string
}

const settingsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'assistant',
  component: lazyRouteComponent(() => import('./AssistantSettings.tsx'), 'AssistantSettings'),
})

const repliesRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'assistant/replies',
  validateSearch: (raw: Record<string, unknown>): RepliesSearch => {
    // What is not known stands as undefined, or the router would keep it as it was written.
    return {
      outcome: oneIn(raw, 'outcome', REPLY_OUTCOMES),
      feedback: oneIn(raw, 'feedback', FEEDBACK),
    } as RepliesSearch
  },
  component: lazyRouteComponent(() => import('./replies/Replies.tsx'), 'Replies'),
})

const traceRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'assistant/replies/$reply',
  component: lazyRouteComponent(() => import('./replies/Trace.tsx'), 'Trace'),
})

const tryRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'assistant/try',
  validateSearch: ({ heard }: Record<string, unknown>): TrialSearch =>
    ({ heard: typeof heard === 'string' ? heard : undefined }) as TrialSearch,
  component: lazyRouteComponent(() => import('./trial/Trial.tsx'), 'Trial'),
})

export const assistantRoutes = [
  settingsRoute,
  ...knowledgeRoutes,
  repliesRoute,
  traceRoute,
  tryRoute,
] as const
