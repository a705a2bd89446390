import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context as Hc } from 'hono'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { AddressLimit } from '../ip-rate-limiter.ts'
import type { HttpDeps } from '../http-deps.ts'

/** The environment of the public pages' routes. */
export type PageEnv = {
  Bindings: HttpBindings
  Variables: {
    context: HttpDeps
    requestId: string
    language: Language
    /** The address that the request is counted for. */
    address: string
    /** Reads the form in the body of the request. @throws PageRefusal */
    forms: (c: PageContext) => Promise<URLSearchParams>
    /** The limit of booked or moved appointments, by client address. */
    bookings: AddressLimit
    /** The limit of views of one booking page, by its slug. */
    ofShops: AddressLimit
    /** The limit of views of all booking pages of an account, by its id. */
    ofAccounts: AddressLimit
  }
}
export type PageContext = Hc<PageEnv>

/** Creates an empty router for one kind of public page, typed by the pages' variables. */
export function pageRoutes() {
  return new Hono<PageEnv>()
}
