import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { useSession } from '../app/session.ts'
import { Banner } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { endpointWords } from './words-endpoint.ts'

/**
 * Returns whether the plan includes webhooks. Without them deliveries are recorded and can be read, but nothing is
 * sent.
 */
export function useIsInPlan(): boolean {
  return PLAN_LIMITS[useSession().account.plan].developer
}

/** A banner which says that the plan does not include webhooks; nothing where it does. */
export function PlanBanner() {
  const t = useWords(endpointWords)
  if (useIsInPlan()) return null
  return (
    <Banner tone="off" title={t('not_in_plan')}>
      {t('not_in_plan_why')}
    </Banner>
  )
}
