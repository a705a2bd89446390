/**
 * The routes of a website's form below `/website/v1`. They accept enquiries from allowed sites, as JSON or as a form,
 * and serve a page with such a form for frames there. They work without script and cookie.
 *
 * Spec: Channels › The website's form.
 */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { Enquiry } from '../../contract/enquiry.ts'
import { fact } from '../../core/facts/fact.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { ENQUIRY_LIMITS, VISITOR_LIMITS } from '../../core/limits/visitors.ts'
import { ServiceError, wrongField, type FieldError } from '../../core/service-error.ts'
import { ingestEnquiry } from '../../modules/visitors/submit-enquiry.ts'
import type { IngestMessage } from '../../modules/visitors/send-visitor-message.ts'
import { loadSite, type Site } from '../../modules/visitors/site.ts'
import { createAddressLimit } from '../ip-rate-limiter.ts'
import { createBodyBudget } from '../body-memory-budget.ts'
import type { HttpDeps } from '../http-deps.ts'
import { isOwnForm } from '../is-own-form.ts'
import { mediaTypeOf } from '../media-type.ts'
import { parseInput } from '../parse-input.ts'
import { writeForm } from './form-page.ts'
import { createSiteErrorAnswer } from './held-page.ts'
import {
  admitSite,
  beginVisitorRequest,
  readBytes,
  parseJsonBody,
  type VisitorContext,
  type VisitorEnv,
} from './visitor-env.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
const PREFLIGHT_KEPT_S = 600

/** Creates the routes of the web form: its page, and submissions of it or of a form on the merchant's own site. */
export function createWebsiteRoutes(deps: HttpDeps, ingest: IngestMessage): Hono<VisitorEnv> {
  const { db, clock } = deps
  const app = new Hono<VisitorEnv>()
  const budget = createBodyBudget(VISITOR_LIMITS.budgetBytes, { keepsForKnown: false })
  const sent = createAddressLimit(ENQUIRY_LIMITS.perAddressPerMinute)
  const siteOf = (c: VisitorContext) => loadSite(db.kysely, 'website', c.req.param('key') ?? '')

  app.use(createBefore(deps))
  app.onError(createSiteErrorAnswer(deps))
  app.options('/:key/leads', async (c) => {
    const site = await siteOf(c)
    if (admitSite(c, site.origins)) {
      c.header('access-control-allow-methods', 'POST')
      c.header('access-control-allow-headers', 'Content-Type')
      c.header('access-control-max-age', String(PREFLIGHT_KEPT_S))
    }
    return c.body(null, 204)
  })
  app.post('/:key/leads', async (c) => {
    const site = await siteOf(c)
    if (!admitSite(c, site.origins))
      throw new ServiceError('wrong_origin', fact('site_not_allowed'))
    const { id } = await take(c, site, await readEnquiry(c, site))
    const isProgram =
      mediaTypeOf(c) !== FORM_TYPE || !/\btext\/html\b/.test(c.req.header('accept') ?? '')
    if (isProgram) return c.json({ id }, 202)
    return show(c, site, { kind: 'sent' })
  })
  app.get('/:key/form', async (c) => {
    const page = framedIn(c)
    return show(c, await siteOf(c), { kind: 'empty', ...(page === null ? {} : { page }) })
  })
  app.post('/:key/form', async (c) => {
    const site = await siteOf(c)
    if (!isOwnForm(c, deps.publicUrl())) {
      throw new ServiceError('wrong_origin', fact('not_same_origin'))
    }
    const fields = await readFields(c)
    try {
      await take(c, site, parseInput(Enquiry, asEnquiry(fields)))
      return await show(c, site, { kind: 'sent' })
    } catch (error) {
      if (!(error instanceof ServiceError) || !SHOWN.has(error.code)) throw error
      const errors: readonly FieldError[] = error.errors ?? []
      return show(c, site, { kind: 'wrong', fields, errors, reason: error.reason })
    }
  })
  return app

  async function take(c: VisitorContext, site: Site, enquiry: Enquiry): Promise<{ id: string }> {
    if (!sent.admit(c.var.address, clock.now())) {
      throw new ServiceError('rate_limited', fact('too_many_enquiries'), {
        retryAfterMs: MINUTE_MS,
      })
    }
    return ingestEnquiry({ ...deps, ingest }, site, enquiry)
  }

  async function readEnquiry(c: VisitorContext, site: Site): Promise<Enquiry> {
    if (mediaTypeOf(c) === FORM_TYPE) return parseInput(Enquiry, asEnquiry(await readFields(c)))
    if (mediaTypeOf(c) !== 'application/json') {
      throw new ServiceError('unsupported_media_type', fact('form_type'))
    }
    const limits = { limit: ENQUIRY_LIMITS.bodyBytes, budget }
    const enquiry = parseInput(Enquiry, parseJsonBody(await readBytes(c, limits)))
    const { channelToken } = enquiry
    if (channelToken === undefined || channelToken === site.channel.route) return enquiry
    throw wrongField('channelToken', fact('wrong'))
  }

  async function readFields(c: VisitorContext): Promise<Record<string, string>> {
    if (mediaTypeOf(c) !== FORM_TYPE)
      throw new ServiceError('unsupported_media_type', fact('form_type'))
    const bytes = await readBytes(c, { limit: ENQUIRY_LIMITS.bodyBytes, budget })
    return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')))
  }

  async function show(
    c: VisitorContext,
    site: Site,
    state: Parameters<typeof writeForm>[1],
  ): Promise<Response> {
    const { text, policy } = await writeForm(site, state, c.var.language, {
      id: deps.ids.uuid(),
      now: clock.now(),
    })
    c.header('content-security-policy', policy)
    return c.html(text, state.kind === 'wrong' ? 422 : 200)
  }
}

/** Errors that the person who fills in the form can correct. */
const SHOWN: ReadonlySet<string> = new Set(['invalid', 'rate_limited'])

/** Returns the fields of a form as an enquiry, which nests them. */
function asEnquiry({ name, email, phone, message, homepage, ...rest }: Record<string, string>) {
  const given = Object.entries({ name, email, phone, message, homepage })
  const fields = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  return { ...rest, fields }
}

/** Returns the page that frames the form, as far as the browser reveals it: for another site only the origin. */
function framedIn(c: VisitorContext): string | null {
  const url = URL.parse(c.req.header('referer') ?? '')
  const isPage = url !== null && /^https?:$/.test(url.protocol)
  return isPage && url.href.length <= ENQUIRY_LIMITS.pageChars ? url.href : null
}

function createBefore(deps: HttpDeps) {
  const requestLimit = createAddressLimit(VISITOR_LIMITS.requestsPerAddressPerMinute)
  return createMiddleware<VisitorEnv>(async (c, next) => {
    beginVisitorRequest(c, deps, requestLimit)
    await next()
  })
}
