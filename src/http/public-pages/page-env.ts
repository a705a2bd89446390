import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context as Hc } from 'hono'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { AddressLimit } from '../ip-rate-limiter.ts'
import type { HttpDeps } from '../http-deps.ts'

export type PageEnv = {
  Bindings: HttpBindings
  Variables: {
    context: HttpDeps
    requestId: string
    language: Language
    /** The address that the request is counted for. */
    address: string
    /** Reads the form that a request carries. @throws PageRefusal */
    forms: (c: PageContext) => Promise<URLSearchParams>
    /** The number of appointments that an address booked. */
    bookings: AddressLimit
    /** The views of each shop's booking page, by its slug. */
    ofShops: AddressLimit
    /** The views of all booking pages of an account. */
    ofAccounts: AddressLimit
  }
}
export type PageContext = Hc<PageEnv>

/** Creates an empty router for one kind of public page, typed by the pages' variables. */
export function pageRoutes() {
  return new Hono<PageEnv>()
}
