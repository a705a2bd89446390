import { MINUTE_MS } from '../../core/limits/units.ts'
import type { ShopRow } from '../../modules/appointments/load-shop.ts'
import type { PageContext } from './page-env.ts'
import { PageRefusal } from './page-refusal.ts'

/**
 * Counts a view of free times for the limits of the shop's booking page and of its account.
 * @throws PageRefusal too_many when one of them is exceeded
 */
export function countView(c: PageContext, shop: ShopRow): void {
  const { ofShops, ofAccounts, context } = c.var
  const now = context.clock.now()
  if (!ofShops.admit(shop.slug!, now) || !ofAccounts.admit(shop.accountId, now)) {
    throw new PageRefusal('too_many', MINUTE_MS)
  }
}
