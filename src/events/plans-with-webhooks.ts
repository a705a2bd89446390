import { PLAN_LIMITS } from '../limits/accounts.ts'
import { PLANS } from '../vocabulary/accounts.ts'

/** Plans on which webhooks are delivered. Spec: Concepts › Plans. */
export const PLANS_WITH_WEBHOOKS = PLANS.filter((plan) => PLAN_LIMITS[plan].developer)
