import type { HttpBindings } from '@hono/node-server'
import type { Session } from '../../modules/accounts/load-session.ts'
import type { FormatFact } from '../../contract/dashboard/told.ts'
import type { TimeSlicer } from '../../modules/inbound/time-slicer.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { BodyBudget } from '../body-memory-budget.ts'
import type { HttpDeps } from '../http-deps.ts'

/**
 * What every route of the dashboard's API finds in `c.var`. The actor is not here on purpose: only a
 * route that declares who may use it (`access.ts`) has one, or the types refuse it.
 */
export type DashboardEnv = {
  Bindings: HttpBindings
  Variables: {
    /** What rooms are given; `tell` tells their facts in the language of who asks. */
    context: HttpDeps & { tell: FormatFact }
    requestId: string
    /** When the request came, by `performance.now()`. */
    startedMs: number
    language: Language
    /** What the bodies that members send may take of the memory, and of a turn of the event loop. */
    bodies: { room: BodyBudget; fileRoom: BodyBudget; turns: TimeSlicer }
    session: Session | null
  }
}
