import { PLANS, type Plan } from '../core/vocabulary/accounts.ts'
import { inArabic } from './isolate.ts'

/**
 * Names of plans, as the page of the plan shows them. Three names are adjectives, so each includes the word for plan.
 */
const NAMES: Record<Plan, string> = {
  free: 'الباقة المجانية',
  starter: 'الباقة المبتدئة',
  pro: 'الباقة الاحترافية',
  business: 'باقة الأعمال',
}

/**
 * Formats a plan for an Arabic sentence, including the word for plan. A plan without a name here is shown by its code.
 */
export function planInArabic(plan: string): string {
  const known = PLANS.find((one) => one === plan)
  return known === undefined ? `باقة ${inArabic(plan)}` : NAMES[known]
}
