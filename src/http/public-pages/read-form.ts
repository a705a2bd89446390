import { BODY_LIMITS } from '../../core/limits/http.ts'
import { PAGE_LIMITS } from '../../core/limits/pages.ts'
import { createBodyBudget } from '../body-memory-budget.ts'
import { withBody } from '../read-body.ts'
import type { PageContext } from './page-env.ts'
import { PageRefusal } from './page-refusal.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Reads the forms of one process's pages, which together take so much memory and no more. */
export function createPageForms() {
  const room = createBodyBudget(PAGE_LIMITS.roomBytes, { keepsForKnown: false })

  /**
   * The fields of a form that one of our own pages sent.
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
 * A browser says where a form comes from: in `Sec-Fetch-Site`, and older ones in `Origin` alone, which is
 * `null` from pages that send no referrer, as ours. What says neither is a program, which needs no page of
 * another site to do what it likes: nothing here goes by a cookie.
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
