import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { PLANS } from '../../core/vocabulary/accounts.ts'

/** The plans on which webhooks are delivered. Spec: Concepts › Plans. */
export const PLANS_WITH_WEBHOOKS = PLANS.filter((plan) => PLAN_LIMITS[plan].developer)
