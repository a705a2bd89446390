import type { Context as Hc } from 'hono'

/**
 * Returns whether one of the service's own pages sent a form, whichever site frames the page. Browsers state it in
 * `Sec-Fetch-Site`, older ones only in `Origin`, which is `null` for pages that send no referrer, as these do. A request
 * with neither header comes from a program; cross-site forgery does not concern it, since no cookie authenticates
 * anything here.
 *
 * Spec: Public pages › Forms.
 */
export function isOwnForm(c: Pick<Hc, 'req'>, publicUrl: string): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = c.req.header('origin')
  return origin === undefined || origin === 'null' || origin === new URL(publicUrl).origin
}
