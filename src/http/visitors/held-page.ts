import type { Context as Hc } from 'hono'
import { html } from 'hono/html'
import { BODY_LIMITS } from '../../core/limits/http.ts'
import { refusalWords } from '../../i18n/pages/refusal-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import { AccountOnHold } from '../../modules/accounts/account-hold.ts'
import type { DashboardEnv } from '../dashboard-api/env.ts'
import { createErrorAnswer } from '../errors.ts'
import type { HttpDeps } from '../http-deps.ts'
import { otherLanguage, writePage } from '../public-pages/page-frame.ts'
import { REFUSAL_STATUS } from '../public-pages/page-refusal.ts'
import { DEFAULT_COLOURS } from '../public-pages/page-style.ts'
import type { VisitorContext } from './visitor-env.ts'

/**
 * Creates the error handler of a website's routes. While the account moves to another installation, and afterwards, a
 * person gets a page. Every other error is a problem response.
 */
export function createSiteErrorAnswer(deps: HttpDeps) {
  const answerProblem = createErrorAnswer(deps)
  return (thrown: Error, c: VisitorContext): Response | Promise<Response> => {
    const isPage = /\btext\/html\b/.test(c.req.header('accept') ?? '')
    return thrown instanceof AccountOnHold && isPage
      ? answerHeld(c, thrown)
      : answerProblem(thrown, c as Hc as Hc<DashboardEnv>)
  }
}

async function answerHeld(c: VisitorContext, { code }: AccountOnHold): Promise<Response> {
  const { language } = c.var
  const kind = code === 'account_moved' ? 'moved' : 'busy'
  const t = sayIn(refusalWords, language)
  const { text, policy } = await writePage({
    language,
    shop: null,
    colours: DEFAULT_COLOURS,
    title: t(kind),
    otherHref: `?lang=${otherLanguage(language)}`,
    main: html`<h1>${t(kind)}</h1>
      <p class="lead">${t(`${kind}_text`)}</p>`,
  })
  // The page has no form and no data, so every website may frame it.
  c.header('content-security-policy', policy.replace("frame-ancestors 'none'", 'frame-ancestors *'))
  if (kind === 'busy') c.header('retry-after', String(BODY_LIMITS.retryAfterMs / 1_000))
  if (!c.env.incoming.complete) c.header('connection', 'close')
  return c.html(text, REFUSAL_STATUS[kind])
}
