import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { refusalWords } from '../../i18n/pages/refusal-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import { html } from 'hono/html'
import type { PageContext } from './page-env.ts'
import { otherLanguage, writePage, type Markup, type Shop } from './page-frame.ts'
import { REFUSAL_STATUS, type PageRefusal } from './page-refusal.ts'
import { DEFAULT_COLOURS } from './page-style.ts'

type Answer = { shop: Shop | null; title: string; main: Markup; status?: ContentfulStatusCode }

/** Answers with a page in the client's language, and links it in the other one. Spec: Public pages › Languages. */
export async function answerPage(c: PageContext, answer: Answer): Promise<Response> {
  const { language } = c.var
  const { text, policy } = await writePage({
    language,
    shop: answer.shop,
    colours: answer.shop?.colours ?? DEFAULT_COLOURS,
    title: answer.title,
    otherHref: hrefIn(c, otherLanguage(language)),
    main: answer.main,
  })
  c.header('content-security-policy', policy)
  return c.html(text, answer.status ?? 200)
}

/**
 * Answers a refusal: the page is the same for all refusals of one kind, so that it reveals nothing about the address.
 */
export function answerRefusal(c: PageContext, refusal: PageRefusal): Promise<Response> {
  const { kind, retryAfterMs } = refusal
  const t = sayIn(refusalWords, c.var.language)
  const title = t(kind)
  if (kind === 'wrong_method') c.header('allow', 'GET, HEAD, POST')
  if (retryAfterMs !== null) c.header('retry-after', String(Math.ceil(retryAfterMs / 1_000)))
  // A body that was not read to its end cannot be followed by another request.
  if (!c.env.incoming.complete) c.header('connection', 'close')
  const main = html`<h1>${title}</h1>
    <p class="lead">${t(`${kind}_text`)}</p>`
  return answerPage(c, { shop: null, title, main, status: REFUSAL_STATUS[kind] })
}

/** Returns the address of the current page in a language. */
function hrefIn(c: PageContext, language: Language): string {
  const query = new URLSearchParams(c.req.query())
  query.set('lang', language)
  return `?${query.toString()}`
}
