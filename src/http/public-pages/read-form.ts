import { BODY_LIMITS } from '../../core/limits/http.ts'
import { PAGE_LIMITS } from '../../core/limits/pages.ts'
import { createBodyBudget } from '../body-memory-budget.ts'
import { isOwnForm } from '../is-own-form.ts'
import { mediaTypeOf } from '../media-type.ts'
import { withBody } from '../read-body.ts'
import type { PageContext } from './page-env.ts'
import { PageRefusal } from './page-refusal.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Creates the function that reads posted forms of the public pages. All its calls share one memory budget. */
export function createPageForms() {
  const budget = createBodyBudget(PAGE_LIMITS.budgetBytes, { keepsForKnown: false })

  /**
   * Returns the fields of a form that one of the service's own pages sent.
   * @throws PageRefusal foreign_form, not_a_form, form_too_large, busy
   */
  return function readForm(c: PageContext): Promise<URLSearchParams> {
    if (!isOwnForm(c, c.var.context.publicUrl())) throw new PageRefusal('foreign_form')
    if (mediaTypeOf(c) !== FORM_TYPE) throw new PageRefusal('not_a_form')
    const sender = { address: c.var.address, isKnown: false }
    return withBody(c.env.incoming, { limit: PAGE_LIMITS.formBytes, budget, sender }, (body) => {
      if (body === 'too_large') throw new PageRefusal('form_too_large')
      if (typeof body === 'string') throw new PageRefusal('busy', BODY_LIMITS.retryAfterMs)
      return Promise.resolve(new URLSearchParams(body.toString('utf8')))
    })
  }
}
