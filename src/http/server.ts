/** The HTTP server: hook URLs and provider webhooks on the raw request, all other routes through Hono. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { BODY_LIMITS } from '../core/limits/http.ts'
import { HOOK_LIMITS } from '../core/limits/hooks.ts'
import { STREAM_LIMITS } from '../core/limits/visitors.ts'
import { createSparseWarning } from '../infra/log.ts'
import { fact } from '../core/facts/fact.ts'
import { ServiceError } from '../core/service-error.ts'
import { readAcceptLanguage } from './accept-language.ts'
import { createCalendarHandler } from './calendar.ts'
import { createDashboardApi } from './dashboard-api/app.ts'
import type { DashboardEnv } from './dashboard-api/env.ts'
import { createDashboardPages } from './dashboard-pages.ts'
import { createErrorAnswer, PROBLEM_STATUS } from './errors.ts'
import { createHookHandler, HOOKS_PREFIX } from './hook-handler.ts'
import type { HttpDeps } from './http-deps.ts'
import { createMetricsPage } from './metrics.ts'
import { createPublicPages } from './public-pages/app.ts'
import { createProviderWebhookHandler } from './provider-webhooks.ts'
import { createDraining, type Draining } from './draining.ts'
import { createReadiness } from './readiness.ts'
import { endUnanswered, noteRequest, pathOf, refuseUnparsed } from './unparsed-requests.ts'
import { endWhenSlow, LONGEST_REQUEST_MS } from './slow-requests.ts'
import { createWebsiteRoutes } from './visitors/website-routes.ts'
import { createStreamHandler, STREAM_PATH } from './visitors/stream-routes.ts'
import { createWidgetRoutes } from './visitors/widget-routes.ts'
import { PROBLEM_CODES } from '../core/vocabulary/problems.ts'
import { problemTitles } from '../i18n/problem-titles.ts'
import { writeSecurityHeaders } from './security-headers.ts'

/** Returns the page that every problem's `type` points to: each code with its status and meaning. */
function writeErrorsPage(): string {
  const rows = PROBLEM_CODES.map((code) => {
    return `<tr id="${code}"><td><code>${code}</code></td><td>${PROBLEM_STATUS[code]}</td><td>${problemTitles.en[code]}</td></tr>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Wasla API errors</title>
<h1>Errors</h1><p>Branch on <code>code</code>, never on <code>title</code> or <code>detail</code>: their wording may change, and <code>Accept-Language</code> sets their language, English or Arabic.</p>
<table><tr><th>code</th><th>status</th><th>meaning</th></tr>${rows.join('\n')}</table></html>`
}

/** Creates the service's HTTP server with all routes and limits. */
export function createHttpServer(given: Omit<HttpDeps, 'finishBeforeStop'>): {
  server: Server
  draining: Draining
} {
  const draining = createDraining()
  const deps: HttpDeps = {
    ...given,
    finishBeforeStop: (work) =>
      draining.track(
        work.catch((error: unknown) =>
          given.log.error({ err: error }, 'work after a response failed'),
        ),
      ),
  }
  const readiness = createReadiness(deps)
  const handleHook = createHookHandler({ ...deps, onUnavailable: readiness.suspect })
  const webhooks = createProviderWebhookHandler(deps)
  const openStream = createStreamHandler(deps)
  const { fetch } = createApp(deps, readiness.isReady)
  // Checks of load balancers use HTTP/1.0, which needs no Host header. No decision depends on the name.
  const rest = getRequestListener(fetch, { hostname: 'localhost' })

  function route(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    request.url = withoutOrigin(request.url ?? '')
    if (!deps.takesRequests) return rest(request, response)
    const path = request.url.split('?', 1)[0]!
    if (path === HOOKS_PREFIX || path.startsWith(`${HOOKS_PREFIX}/`)) {
      return handleHook(request, response)
    }
    const addressee = webhooks.find(path)
    if (addressee) return webhooks.handle(addressee, request, response)
    if (path === STREAM_PATH) return openStream(request, response)
    return rest(request, response)
  }

  function handle(request: IncomingMessage, response: ServerResponse) {
    if (!draining.admit(request, response)) return
    noteRequest(request)
    if (!isUnambiguous(request)) return endUnanswered(request.socket, 400, pathOf(request.url))
    endWhenSlow(request, response)
    const handled = route(request, response).catch((error: unknown) => {
      deps.log.error({ err: error }, 'a request failed')
      response.destroy()
    })
    draining.track(handled)
  }

  // A request that arrives too slowly is ended. Spec: reading H7.
  const server = createServer(
    {
      headersTimeout: HOOK_LIMITS.headersMs,
      requestTimeout: LONGEST_REQUEST_MS,
      keepAliveTimeout: deps.settings.keepAliveMs,
      highWaterMark: BODY_LIMITS.readAheadBytes,
      // Node checks for slow requests at this interval; its default is twice a minute.
      connectionsCheckingInterval: 500,
    },
    handle,
  )
  server.on('checkContinue', (request, response) => {
    if (!isSurelyTooLarge(request)) response.writeContinue()
    handle(request, response)
  })
  // An unknown expectation is ignored, instead of a bare 417.
  server.on('checkExpectation', handle)
  server.on('clientError', refuseUnparsed)
  server.maxConnections = BODY_LIMITS.connections + STREAM_LIMITS.inAll
  const warn = createSparseWarning(deps)
  server.on('connection', (socket) => {
    draining.connected(socket)
    if (deps.connectionShare.admit(socket)) return
    // Idle keep-alive connections make space for clients with a request.
    if (deps.connectionShare.isFull()) server.closeIdleConnections()
    warn('connection dropped: its address, or the process, has reached the limit')
    socket.destroy()
  })
  server.on('drop', () => {
    server.closeIdleConnections()
    warn('connection dropped: the process has reached the limit')
  })
  return { server, draining }
}

/**
 * Returns whether a proxy and this service read the request the same way: it has one Host, and no transfer encoding
 * but chunked (RFC 9112 §3.2 and §6.1).
 */
function isUnambiguous({ headers, rawHeaders }: IncomingMessage): boolean {
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'chunked') return false
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts <= 1
}

/**
 * Returns whether the announced length of a hook request exceeds the limit, so that its client need not send the
 * body.
 */
function isSurelyTooLarge({ headers, url }: IncomingMessage): boolean {
  const isHook = withoutOrigin(url ?? '').startsWith(`${HOOKS_PREFIX}/`)
  return isHook && Number(headers['content-length'] ?? 0) > HOOK_LIMITS.bodyBytes
}

/** Returns the path of a request line that contains a whole URL, as for a proxy. The host in it is not trusted. */
function withoutOrigin(target: string): string {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target)?.[0]
  if (origin === undefined) return target
  const rest = target.slice(origin.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function createApp(deps: HttpDeps, isReady: () => Promise<boolean>) {
  const { ids, isStarting, isStopping } = deps
  const writeMetrics = createMetricsPage(deps)
  const app = new Hono<DashboardEnv>()
  app.use(async (c, next) => {
    const requestId = `req_${ids.token(REQUEST_ID_BYTES)}`
    c.set('requestId', requestId)
    c.set('startedMs', performance.now())
    c.set('language', readAcceptLanguage(c.req.header('accept-language')))
    c.header('x-request-id', requestId)
    writeSecurityHeaders(c, deps.publicUrl())
    await next()
  })
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    if (isStopping()) return c.json({ status: 'stopping' }, 503)
    if (isStarting()) return c.json({ status: 'starting' }, 503)
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
    app.route('/calendar', createCalendarHandler(deps))
    const ingest = deps.ingestBatched
    app.route('/widget/v1', createWidgetRoutes(deps, ingest))
    app.route('/website/v1', createWebsiteRoutes(deps, ingest))
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
