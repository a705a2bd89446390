/** The one HTTP server: hook URLs and provider webhooks on the raw request, the rest through Hono. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { BODY_LIMITS } from '../limits/doors.ts'
import { HOOK_LIMITS } from '../limits/hooks.ts'
import { STREAM_LIMITS } from '../limits/visitors.ts'
import { createSparseWarning } from '../log.ts'
import { fact } from '../facts/fact.ts'
import { ServiceError } from '../service-error.ts'
import { readAcceptLanguage } from './accept-language.ts'
import { createCalendarHost } from './calendar.ts'
import { createDashboardApi } from './dashboard-api/app.ts'
import type { DashboardEnv } from './dashboard-api/env.ts'
import { createDashboardPages } from './dashboard-pages.ts'
import { createErrorAnswer } from './errors.ts'
import { writeErrorsPage } from './errors-page.ts'
import { createHookHost, HOOKS_PREFIX } from './hook-host.ts'
import type { HttpDeps } from './http-deps.ts'
import { createMetricsPage } from './metrics.ts'
import { createPublicPages } from './public-pages/app.ts'
import { createProviderWebhookHost } from './provider-webhooks.ts'
import { createReadiness } from './readiness.ts'
import { endWhenSlow, LONGEST_REQUEST_MS } from './slow-requests.ts'
import { writeSecurityHeaders } from './security-headers.ts'
import { createWebsiteDoors } from './visitors/website-doors.ts'
import { createStreamDoor, STREAM_PATH } from './visitors/stream-door.ts'
import { createWidgetDoors } from './visitors/widget-doors.ts'

export function createHttpServer(deps: HttpDeps): Server {
  const hookHost = createHookHost(deps)
  const webhooks = createProviderWebhookHost(deps)
  const openStream = createStreamDoor(deps)
  const rest = getRequestListener(createApp(deps).fetch)

  function route(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    request.url = withoutOrigin(request.url ?? '')
    if (!deps.takesRequests) return rest(request, response)
    const path = request.url.split('?', 1)[0]!
    if (path === HOOKS_PREFIX || path.startsWith(`${HOOKS_PREFIX}/`)) {
      return hookHost(request, response)
    }
    const addressee = webhooks.find(path)
    if (addressee) return webhooks.host(addressee, request, response)
    if (path === STREAM_PATH) return openStream(request, response)
    return rest(request, response)
  }

  function host(request: IncomingMessage, response: ServerResponse) {
    endWhenSlow(request, response)
    route(request, response).catch((error: unknown) => {
      deps.log.error({ err: error }, 'a request failed')
      response.destroy()
    })
  }

  // A request that dribbles in is ended. Spec: reading H7.
  const server = createServer(
    {
      headersTimeout: HOOK_LIMITS.headersMs,
      requestTimeout: LONGEST_REQUEST_MS,
      highWaterMark: BODY_LIMITS.readAheadBytes,
      // Node looks for slow requests only this often, and of itself twice a minute.
      connectionsCheckingInterval: 500,
    },
    host,
  )
  // An expectation that we do not know is answered as if it were not there, not with a bare 417.
  server.on('checkExpectation', host)
  server.maxConnections = BODY_LIMITS.connections + STREAM_LIMITS.inAll
  const warn = createSparseWarning(deps)
  server.on('connection', (socket) => {
    if (deps.connectionShare.admit(socket)) return
    warn('connections are dropped: there are as many as one address, or the process, takes')
    socket.destroy()
  })
  server.on('drop', () => warn('connections are dropped: there are as many as one process takes'))
  return server
}

/**
 * A request line may name a whole URL, as for a proxy. Whatever host it names is not ours to believe:
 * only the path counts.
 */
function withoutOrigin(target: string): string {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target)?.[0]
  if (origin === undefined) return target
  const rest = target.slice(origin.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function createApp(deps: HttpDeps) {
  const { ids, isStopping } = deps
  const isReady = createReadiness(deps)
  const writeMetrics = createMetricsPage(deps)
  const app = new Hono<DashboardEnv>()
  app.use(async (c, next) => {
    const requestId = `req_${ids.token(REQUEST_ID_BYTES)}`
    c.set('requestId', requestId)
    c.set('language', readAcceptLanguage(c.req.header('accept-language')))
    c.header('x-request-id', requestId)
    writeSecurityHeaders(c, deps.publicUrl())
    await next()
  })
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    if (isStopping()) return c.json({ status: 'stopping' }, 503)
    if (await isReady()) return c.json({ status: 'ready' })
    return c.json({ status: 'database_unavailable' }, 503)
  })
  app.get('/metrics', async (c) => {
    const text = await writeMetrics(c.req.header('authorization'))
    if (text === null) return c.notFound()
    return c.body(text, 200, { 'content-type': deps.metrics.contentType })
  })
  app.get('/errors', (c) => c.html(writeErrorsPage()))
  if (deps.takesRequests) {
    app.route('/api', createDashboardApi(deps))
    app.route('/', createPublicPages(deps))
    app.route('/calendar', createCalendarHost(deps))
    const takeIn = deps.takeInFrequent
    app.route('/widget/v1', createWidgetDoors(deps, takeIn))
    app.route('/website/v1', createWebsiteDoors(deps, takeIn))
    app.route('/', createDashboardPages(deps))
  }
  // Spec: Errors › REST API.
  app.all('/v1/*', () => {
    throw new ServiceError('not_available', fact('no_rest_api'))
  })
  app.notFound(() => {
    throw new ServiceError('not_found', fact('nothing_at_address'))
  })
  app.onError(createErrorAnswer(deps))
  return app
}

const REQUEST_ID_BYTES = 12
