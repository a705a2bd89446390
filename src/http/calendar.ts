import { Hono } from 'hono'
import { readCalendar } from '../modules/appointments/read-calendar.ts'
import { fact } from '../core/facts/fact.ts'
import { CALENDAR_LIMITS } from '../core/limits/appointments.ts'
import { MINUTE_MS } from '../core/limits/units.ts'
import { ServiceError } from '../core/service-error.ts'
import { createAddressLimit } from './ip-rate-limiter.ts'
import type { DashboardEnv } from './dashboard-api/env.ts'
import type { HttpDeps } from './http-deps.ts'

/**
 * Serves members' calendars by their secret links: the address is the only credential.
 *
 * Spec: Appointments › Calendars.
 */
export function createCalendarHandler(deps: HttpDeps): Hono<DashboardEnv> {
  const limit = createAddressLimit(CALENDAR_LIMITS.readsPerAddressPerMinute)
  return new Hono<DashboardEnv>().get('/:file', async (c) => {
    if (!limit.admit(deps.clientAddress(c.env.incoming), deps.clock.now())) {
      throw new ServiceError('rate_limited', fact('calendar_reads_a_minute'), {
        retryAfterMs: MINUTE_MS,
      })
    }
    const [token = '', end, ...more] = c.req.param('file').split('.')
    const text = end === 'ics' && more.length === 0 ? await readCalendar(deps, token) : null
    if (text === null) throw new ServiceError('not_found', fact('nothing_at_address'))
    return c.body(text, 200, {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="appointments.ics"',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
    })
  })
}
