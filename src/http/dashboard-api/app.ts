/**
 * The dashboard's API under `/api`: JSON in and out, without privileges over other clients. A request passes the
 * checks of size and type, origin and session, then the route's declared access and input, and then one use case of a
 * module. `http/errors.ts` answers refusals.
 */
import { Hono, type Context as Hc } from 'hono'
import { createMiddleware } from 'hono/factory'
import { requireWorking } from '../../modules/accounts/account-hold.ts'
import { loadSession, type Session } from '../../modules/accounts/load-session.ts'
import { createTimeSlicer } from '../../modules/inbound/time-slicer.ts'
import { BODY_LIMITS, DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { fact } from '../../core/facts/fact.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { ServiceError } from '../../core/service-error.ts'
import { createAddressLimit } from '../ip-rate-limiter.ts'
import { createBodyBudget } from '../body-memory-budget.ts'
import { mediaTypeOf } from '../media-type.ts'
import { setContentLanguage, formatterFor } from '../localize.ts'
import type { HttpDeps } from '../http-deps.ts'
import { assertAccessDeclared } from './access.ts'
import { accountRoutes } from './account.ts'
import { actionRoutes } from './action.ts'
import { assistantRoutes } from './assistant.ts'
import { bookingSetupRoutes } from './booking-setup.ts'
import { callLogRoutes } from './call-log.ts'
import { appointmentRoutes } from './appointment.ts'
import { calendarLinkRoutes } from './calendar-link.ts'
import { channelRoutes } from './channel.ts'
import { broadcastRoutes } from './broadcast.ts'
import { cannedReplyRoutes } from './canned-reply.ts'
import { conversationRoutes } from './conversation.ts'
import { companyRoutes } from './company.ts'
import { contactImportRoutes, IMPORT_PATH_END, IMPORT_TYPES } from './contact-import.ts'
import { contactRoutes } from './contact.ts'
import { connectionRoutes } from './connection.ts'
import { dashboardRoutes } from './dashboard.ts'
import { deliveryRoutes } from './delivery.ts'
import { endpointRoutes } from './endpoint.ts'
import type { DashboardEnv } from './env.ts'
import { fileRoutes, UPLOAD_PATH_END, UPLOAD_TYPE } from './file.ts'
import { flowRoutes } from './flow.ts'
import { hookUrlRoutes } from './hook-url.ts'
import { knowledgeRoutes } from './knowledge.ts'
import { leadRoutes } from './lead.ts'
import { liveRoutes } from './live.ts'
import { meRoutes } from './me.ts'
import { memberRoutes } from './member.ts'
import { modelRoutes } from './model.ts'
import { noticeRoutes } from './notice.ts'
import { overviewRoutes } from './overview.ts'
import { phoneRoutes } from './phone.ts'
import { tooLarge } from './read-input.ts'
import { requireOwnOrigin } from './own-origin.ts'
import { resendJobRoutes } from './resend-job.ts'
import { runRoutes } from './run.ts'
import { segmentRoutes } from './segment.ts'
import { sessionRoutes } from './session.ts'
import { readSessionCookie } from './session-cookie.ts'
import { siteRoutes } from './site.ts'

const ROUTE_GROUPS: readonly { readonly app: Hono<DashboardEnv> }[] = [
  dashboardRoutes,
  sessionRoutes,
  meRoutes,
  accountRoutes,
  memberRoutes,
  companyRoutes,
  channelRoutes,
  siteRoutes,
  contactRoutes,
  phoneRoutes,
  segmentRoutes,
  fileRoutes,
  contactImportRoutes,
  flowRoutes,
  hookUrlRoutes,
  endpointRoutes,
  liveRoutes,
  deliveryRoutes,
  resendJobRoutes,
  noticeRoutes,
  runRoutes,
  connectionRoutes,
  callLogRoutes,
  actionRoutes,
  assistantRoutes,
  conversationRoutes,
  cannedReplyRoutes,
  broadcastRoutes,
  // These routes have `/appointments/<name>` paths, so they precede the route of one appointment's id.
  bookingSetupRoutes,
  appointmentRoutes,
  calendarLinkRoutes,
  leadRoutes,
  knowledgeRoutes,
  overviewRoutes,
  modelRoutes,
]

/** The routes of every route group. Add a new group to the list above, and to `DashboardRoutes` in `contract/`. */
export const routeGroups = new Hono<DashboardEnv>()
for (const { app } of ROUTE_GROUPS) routeGroups.route('/', app)

/** Creates the router of the dashboard's API, with all of its route groups. */
export function createDashboardApi(deps: HttpDeps): Hono<DashboardEnv> {
  assertAccessDeclared(routeGroups)
  const app = new Hono<DashboardEnv>()
  const contexts = {
    en: { ...deps, formatFact: formatterFor('en') },
    ar: { ...deps, formatFact: formatterFor('ar') },
  }
  app.use(async (c, next) => {
    c.set('context', contexts[c.var.language])
    c.header('cache-control', 'no-store')
    setContentLanguage(c, c.var.language)
    await next()
  })
  const budget = createBodyBudget(BODY_LIMITS.dashboardBudgetBytes, { keepsForKnown: true })
  const fileBudget = createBodyBudget(BODY_LIMITS.fileBudgetBytes, { keepsForKnown: true })
  const bodies = { budget, fileBudget, slicer: createTimeSlicer() }
  app.use(async (c, next) => {
    if (!isFile(c)) requireSmallBody(c)
    c.set('bodies', bodies)
    await next()
  })
  app.use(createGuard())
  app.route('/', routeGroups)
  return app
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
/** A person signs out of an account on hold, or switches to another one. */
const SESSION_PATH = /^\/api\/session(?:\/|$)/

function createGuard() {
  const anonymousRequests = createAddressLimit(BODY_LIMITS.withoutSessionPerAddressPerMinute)
  return createMiddleware<DashboardEnv>(async (c, next) => {
    const publicUrl = c.var.context.publicUrl()
    const cookie = readSessionCookie(c, publicUrl)
    if (!READS.has(c.req.method)) {
      requireOwnOrigin(publicUrl, {
        origin: c.req.header('origin'),
        secFetchSite: c.req.header('sec-fetch-site'),
        hasSessionCookie: cookie !== undefined,
      })
      if (!isFile(c)) requireJson(c)
    }
    const { clientAddress, clock } = c.var.context
    const [address, now] = [clientAddress(c.env.incoming), clock.now()]
    const session = await readSession(c, cookie)
    // The limit does not apply to signed-in members behind the same address.
    if (session === null && !anonymousRequests.admit(address, now)) {
      throw new ServiceError('rate_limited', fact('too_many_requests'), { retryAfterMs: MINUTE_MS })
    }
    if (session && !READS.has(c.req.method) && !SESSION_PATH.test(c.req.path)) {
      requireWorking(session.hold)
    }
    c.set('session', session)
    await next()
  })
}

const UPLOADS = [
  { pathEnd: UPLOAD_PATH_END, type: UPLOAD_TYPE },
  ...IMPORT_TYPES.map((type) => ({ pathEnd: IMPORT_PATH_END, type })),
]

/**
 * Returns whether the body is an uploaded file; its route knows the maximum size. A form of another site cannot have
 * this content type.
 */
function isFile(c: Hc): boolean {
  return UPLOADS.some(
    ({ pathEnd, type }) =>
      c.req.method === 'POST' && c.req.path.endsWith(pathEnd) && mediaTypeOf(c) === type,
  )
}

function requireSmallBody(c: Hc): void {
  const { bodyBytes: max } = DASHBOARD_LIMITS
  if (Number(c.req.header('content-length') ?? 0) > max) throw tooLarge(max)
}

/** Requires a body to be JSON. A form of another site cannot send this content type without a preflight request. */
function requireJson(c: Hc): void {
  const length = c.req.header('content-length')
  const hasBody =
    c.req.header('transfer-encoding') !== undefined || (length !== undefined && length !== '0')
  const type = mediaTypeOf(c)
  if (hasBody ? type !== 'application/json' : type !== '' && type !== 'application/json') {
    throw new ServiceError('unsupported_media_type', fact('body_type_not_json'))
  }
}

const BEARER = /^Bearer +(\S+)$/i

/** Loads the session. A program's bearer token takes precedence over a browser's cookie. */
async function readSession(
  c: Hc<DashboardEnv>,
  cookie: string | undefined,
): Promise<Session | null> {
  const { db, clock } = c.var.context
  const bearer = BEARER.exec(c.req.header('authorization') ?? '')?.[1]
  const token = bearer ?? cookie
  if (token === undefined) return null
  const carrier = bearer === undefined ? 'cookie' : 'bearer'
  return loadSession(db.kysely, { token, carrier, now: clock.now() })
}
