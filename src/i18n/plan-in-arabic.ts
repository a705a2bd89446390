import { PLANS, type Plan } from '../core/vocabulary/accounts.ts'
import { inArabic } from './isolate.ts'

/** As the page of the plan names them. Three of the names are adjectives, so the noun goes with each. */
const NAMES: Record<Plan, string> = {
  free: 'الباقة المجانية',
  starter: 'الباقة المبتدئة',
  pro: 'الباقة الاحترافية',
  business: 'باقة الأعمال',
}

/** A plan in an Arabic sentence, the word for plan included. One that has no name here is told by its code. */
export function planInArabic(plan: string): string {
  const known = PLANS.find((one) => one === plan)
  return known === undefined ? `باقة ${inArabic(plan)}` : NAMES[known]
}
