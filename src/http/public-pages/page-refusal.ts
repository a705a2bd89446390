import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { BODY_LIMITS } from '../../core/limits/http.ts'
import type { PageRefusalKind } from '../../i18n/pages/refusal-words.ts'

/** The HTTP status of each kind of refusal. */
export const REFUSAL_STATUS: Record<PageRefusalKind, ContentfulStatusCode> = {
  not_found: 404,
  wrong_method: 405,
  foreign_form: 403,
  form_too_large: 413,
  not_a_form: 415,
  too_many: 429,
  too_many_bookings: 429,
  too_many_moves: 429,
  fault: 500,
  busy: 503,
  moved: 410,
}

/**
 * Checks that the account of a shop works.
 * @throws PageRefusal busy while it moves to another installation, and moved afterwards
 */
export function requireWorkingShop({ hold }: { hold: string | null }): void {
  if (hold === 'moved') throw new PageRefusal('moved')
  if (hold !== null) throw new PageRefusal('busy', BODY_LIMITS.retryAfterMs)
}

/** A reason to show no page, or to refuse a form. Any code below a public page may throw it. */
export class PageRefusal extends Error {
  readonly kind: PageRefusalKind
  readonly retryAfterMs: number | null

  constructor(kind: PageRefusalKind, retryAfterMs: number | null = null) {
    super(kind)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}
