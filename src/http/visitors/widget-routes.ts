/**
 * The widget's routes below `/widget/v1`: the loader for merchants' pages, the page in the frame, and the data that
 * it requests. The frame has the service's origin and uses no cookie: a token that the page keeps identifies a
 * visitor. A merchant's page can read only the appearance of its button.
 *
 * Spec: Channels › The website's chat. See docs/decisions/0075.
 */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { fact } from '../../core/facts/fact.ts'
import { VISITOR_LIMITS } from '../../core/limits/visitors.ts'
import { makePalette } from '../../rules/pages/palette.ts'
import { ServiceError } from '../../core/service-error.ts'
import { type IngestMessage } from '../../modules/visitors/send-visitor-message.ts'
import { loadSite } from '../../modules/visitors/site.ts'
import { WIDGET_FILES } from '../../widget/widget-files.ts'
import { widgetWords } from '../../i18n/widget-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import { acceptsEncoding } from '../accept-encoding.ts'
import { createAddressLimit } from '../ip-rate-limiter.ts'
import { requireOwnOrigin } from '../dashboard-api/own-origin.ts'
import type { HttpDeps } from '../http-deps.ts'
import { writeFrame } from './frame-page.ts'
import { createSiteErrorAnswer } from './held-page.ts'
import { createVisitorRoutes } from './visitor-routes.ts'
import { admitSite, beginVisitorRequest, type VisitorEnv } from './visitor-env.ts'

/** Creates the routes that serve the chat widget: its script, its frame and its first session. */
export function createWidgetRoutes(deps: HttpDeps, ingest: IngestMessage): Hono<VisitorEnv> {
  const { db } = deps
  const app = new Hono<VisitorEnv>()
  app.use(createBefore(deps))
  app.onError(createSiteErrorAnswer(deps))
  for (const [name, file] of WIDGET_FILES) {
    app.get(`/${name}`, (c) => {
      c.header('cross-origin-resource-policy', 'cross-origin')
      c.header('cache-control', `public, max-age=${FILE_KEPT_S}`)
      const isPacked = acceptsEncoding(c.req.header('accept-encoding'), 'gzip')
      const tag = isPacked ? file.packedTag : file.tag
      c.header('etag', tag)
      c.header('vary', 'Accept-Encoding')
      if (c.req.header('if-none-match') === tag) return c.body(null, 304)
      if (isPacked) c.header('content-encoding', 'gzip')
      return c.body(isPacked ? file.packed : file.bytes, 200, { 'content-type': file.type })
    })
  }
  app.get('/settings/:key', async (c) => {
    const site = await loadSite(db.kysely, 'web_widget', c.req.param('key'))
    if (!admitSite(c, site.origins)) {
      // The page may read the reason, and nothing else.
      c.header('access-control-allow-origin', '*')
      throw new ServiceError('wrong_origin', fact('site_not_allowed'))
    }
    const { accent, onAccent } = makePalette({ accent: site.accent, ground: null })
    const { language } = c.var
    const t = sayIn(widgetWords, language)
    return c.json({
      accent,
      onAccent,
      language,
      open: t('open'),
      close: t('close'),
      unread: widgetWords[language].unread,
    })
  })
  app.get('/frame/:key', async (c) => {
    const site = await loadSite(db.kysely, 'web_widget', c.req.param('key'))
    const { text, policy } = await writeFrame(site, c.var.language)
    c.header('content-security-policy', policy)
    return c.html(text)
  })
  app.route('/', createVisitorRoutes(deps, ingest))
  return app
}

const FILE_KEPT_S = 300

/** Sets limit, language and headers before any query; only the service's own pages may change something. */
function createBefore(deps: HttpDeps) {
  const requestLimit = createAddressLimit(VISITOR_LIMITS.requestsPerAddressPerMinute)
  return createMiddleware<VisitorEnv>(async (c, next) => {
    // Files that are the same for all clients are in memory, and most browsers have cached them.
    const isFile = WIDGET_FILES.has(c.req.path.replace('/widget/v1/', ''))
    beginVisitorRequest(c, deps, isFile ? null : requestLimit)
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      requireOwnOrigin(deps.publicUrl(), {
        origin: c.req.header('origin'),
        secFetchSite: c.req.header('sec-fetch-site'),
        hasSessionCookie: false,
      })
    }
    await next()
  })
}
