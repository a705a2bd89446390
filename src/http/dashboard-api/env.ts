import type { HttpBindings } from '@hono/node-server'
import type { Session } from '../../accounts/load-session.ts'
import type { Tell } from '../../contract/dashboard/told.ts'
import type { Turns } from '../../inbound/take-turns.ts'
import type { Language } from '../../vocabulary/hooks.ts'
import type { BodyRoom } from '../body-room.ts'
import type { HttpDeps } from '../http-deps.ts'

/**
 * What every route of the dashboard's API finds in `c.var`. The actor is not here on purpose: only a
 * route that declares who may use it (`access.ts`) has one, or the types refuse it.
 */
export type DashboardEnv = {
  Bindings: HttpBindings
  Variables: {
    /** What rooms are given; `tell` tells their facts in the language of who asks. */
    context: HttpDeps & { tell: Tell }
    requestId: string
    /** When the request came, by `performance.now()`. */
    startedMs: number
    language: Language
    /** What the bodies that members send may take of the memory, and of a turn of the event loop. */
    bodies: { room: BodyRoom; fileRoom: BodyRoom; turns: Turns }
    session: Session | null
  }
}
