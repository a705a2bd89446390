/**
 * The pages that a merchant's customers open: stopping messages, booking, one appointment. They have no script, no
 * cookie and no third-party content. Opening a page changes nothing; only a form from one of the pages does.
 *
 * Spec: Public pages › Form of a page. See docs/decisions/0070.
 */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { isDatabaseUnavailable } from '../../infra/database/is-database-unavailable.ts'
import { isLockTimeout } from '../../infra/database/transaction.ts'
import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'
import { PAGE_LIMITS } from '../../core/limits/pages.ts'
import { BODY_LIMITS } from '../../core/limits/http.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/limits/units.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { createAddressLimit } from '../ip-rate-limiter.ts'
import type { HttpDeps } from '../http-deps.ts'
import { setContentLanguage } from '../localize.ts'
import { answerRefusal } from './answer-page.ts'
import { appointmentPages } from './appointment-page.ts'
import { bookingPages } from './booking-page.ts'
import type { PageContext, PageEnv } from './page-env.ts'
import { optOutPages } from './opt-out-page.ts'
import { PageRefusal } from './page-refusal.ts'
import { createPageForms } from './read-form.ts'

const KINDS = [
  { prefix: '/o', pages: optOutPages, isSecret: true },
  { prefix: '/b', pages: bookingPages, isSecret: false },
  { prefix: '/a', pages: appointmentPages, isSecret: true },
] as const

/** Creates the router of the public pages: booking, appointments and opt-out. */
export function createPublicPages(deps: HttpDeps): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const beforePage = createBeforePage(deps)
  for (const { prefix, pages, isSecret } of KINDS) {
    const kind = new Hono<PageEnv>()
    kind.use(async (c, next) => {
      if (isSecret) c.header('x-robots-tag', 'noindex, nofollow')
      await next()
    })
    kind.use(beforePage)
    kind.route('/', pages)
    kind.all('*', () => {
      throw new PageRefusal('not_found')
    })
    kind.onError((thrown, c) => answerRefusal(c, asRefusal(thrown, c)))
    app.route(prefix, kind)
  }
  return app
}

/** Creates the middleware that sets headers, language and limits before any query. */
function createBeforePage(deps: HttpDeps) {
  const views = createAddressLimit(PAGE_LIMITS.viewsPerMinute)
  const sent = createAddressLimit(PAGE_LIMITS.formsPerMinute)
  const bookings = createAddressLimit(APPOINTMENT_LIMITS.bookingsPerAddressPerHour, HOUR_MS)
  const ofShops = createAddressLimit(PAGE_LIMITS.bookingViewsPerMinute)
  const ofAccounts = createAddressLimit(PAGE_LIMITS.bookingViewsOfAccountPerMinute)
  const forms = createPageForms()
  return createMiddleware<PageEnv>(async (c, next) => {
    const { method } = c.req
    const chosen = LANGUAGES.find((language) => language === c.req.query('lang'))
    if (chosen) c.set('language', chosen)
    setContentLanguage(c, c.var.language)
    c.header('cache-control', 'no-store')
    c.set('context', deps)
    c.set('forms', forms)
    c.set('bookings', bookings)
    c.set('ofShops', ofShops)
    c.set('ofAccounts', ofAccounts)
    const address = deps.clientAddress(c.env.incoming)
    c.set('address', address)
    const limit = method === 'POST' ? sent : views
    if (!limit.admit(address, deps.clock.now())) throw new PageRefusal('too_many', MINUTE_MS)
    if (c.req.url.length > PAGE_LIMITS.urlChars) throw new PageRefusal('not_found')
    if (!METHODS.has(method)) throw new PageRefusal('wrong_method')
    await next()
  })
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])

/** Returns the refusal for a thrown error. Unexpected errors are logged. */
function asRefusal(thrown: Error, c: PageContext): PageRefusal {
  if (thrown instanceof PageRefusal) return thrown
  if (isDatabaseUnavailable(thrown)) return new PageRefusal('busy', BODY_LIMITS.retryAfterMs)
  const { context, requestId } = c.var
  context.log.error({ err: thrown, requestId }, 'public page failed')
  if (isLockTimeout(thrown)) return new PageRefusal('busy', BODY_LIMITS.retryAfterMs)
  return new PageRefusal('fault')
}
