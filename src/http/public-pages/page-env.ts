import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context as Hc } from 'hono'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { AddressLimit } from '../ip-rate-limiter.ts'
import type { HttpDeps } from '../http-deps.ts'

/** What every public page finds in `c.var`. */
export type PageEnv = {
  Bindings: HttpBindings
  Variables: {
    context: HttpDeps
    requestId: string
    language: Language
    /** Whom the request is counted for. */
    address: string
    /** Reads the form that a request brings. @throws PageRefusal */
    forms: (c: PageContext) => Promise<URLSearchParams>
    /** How many appointments an address booked. */
    bookings: AddressLimit
    /** Of each shop's booking page, by its slug. */
    ofShops: AddressLimit
    /** Views of all booking pages of an account. */
    ofAccounts: AddressLimit
  }
}
export type PageContext = Hc<PageEnv>

/** The pages of one kind. */
export function pageRoutes() {
  return new Hono<PageEnv>()
}
