import type { HttpBindings } from '@hono/node-server'
import type { Session } from '../../modules/accounts/load-session.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { TimeSlicer } from '../../modules/inbound/time-slicer.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { BodyBudget } from '../body-memory-budget.ts'
import type { HttpDeps } from '../http-deps.ts'

/**
 * The environment of the dashboard's routes. `c.var` has no actor on purpose: only a route that declares its access
 * (`access.ts`) has one, or the types refuse it.
 */
export type DashboardEnv = {
  Bindings: HttpBindings
  Variables: {
    /** The dependencies of use cases; `formatFact` formats their facts in the language of the client. */
    context: HttpDeps & { formatFact: FormatFact }
    requestId: string
    /** The time of arrival, by `performance.now()`. */
    startedMs: number
    language: Language
    /** The memory budgets of members' bodies, and the time slices in which large ones are read. */
    bodies: { budget: BodyBudget; fileBudget: BodyBudget; slicer: TimeSlicer }
    session: Session | null
  }
}
