import { BODY_LIMITS } from '../../core/limits/http.ts'
import { PAGE_LIMITS } from '../../core/limits/pages.ts'
import { createBodyBudget } from '../body-memory-budget.ts'
import { withBody } from '../read-body.ts'
import type { PageContext } from './page-env.ts'
import { PageRefusal } from './page-refusal.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Creates the reader of the pages' forms, with a memory budget that they share in this process. */
export function createPageForms() {
  const room = createBodyBudget(PAGE_LIMITS.budgetBytes, { keepsForKnown: false })

  /**
   * Returns the fields of a form that one of the service's own pages sent.
   * @throws PageRefusal foreign_form, not_a_form, form_too_large, busy
   */
  return function readForm(c: PageContext): Promise<URLSearchParams> {
    requireOwnForm(c)
    const type = (c.req.header('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
    if (type !== FORM_TYPE) throw new PageRefusal('not_a_form')
    const sender = { address: c.var.address, isKnown: false }
    return withBody(c.env.incoming, { limit: PAGE_LIMITS.formBytes, room, sender }, (body) => {
      if (body === 'too_large') throw new PageRefusal('form_too_large')
      if (typeof body === 'string') throw new PageRefusal('busy', BODY_LIMITS.retryAfterMs)
      return Promise.resolve(new URLSearchParams(body.toString('utf8')))
    })
  }
}

/**
 * Requires that a form comes from an own page. Browsers say so in `Sec-Fetch-Site`, older ones only in `Origin`,
 * which is `null` for pages that send no referrer, as these do. A request with neither header comes from a program;
 * cross-site forgery does not concern it, since no cookie authenticates anything here.
 *
 * Spec: Public pages › Forms.
 */
function requireOwnForm(c: PageContext): void {
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  const isOwn =
    site === undefined
      ? origin === undefined ||
        origin === 'null' ||
        origin === new URL(c.var.context.publicUrl()).origin
      : site === 'same-origin' || site === 'none'
  if (!isOwn) throw new PageRefusal('foreign_form')
}
