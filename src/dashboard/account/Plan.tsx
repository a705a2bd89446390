import { useSuspenseQuery } from '@tanstack/react-query'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { PLANS } from '../../core/vocabulary/accounts.ts'
import { useApi } from '../app/resources.ts'
import { useSession } from '../app/session.ts'
import { Icon } from '../parts/Icon.tsx'
import { PageHeader, Panel } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './account.module.css'
import { planWords } from './words-plan.ts'

/** The page of the account's plan: a comparison of all plans, and what stops working after a downgrade. */
export function Plan() {
  const t = useWords(planWords)
  const { account } = useSession()
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        pill={
          <Pill tone="accent" icon="plan">
            {t(account.plan)}
          </Pill>
        }
      />
      <div className={layout.stack}>
        <Panel isFlush>
          <div className={styles.scroll} tabIndex={0} role="region" aria-label={t('title')}>
            <PlanTable />
          </div>
        </Panel>
        <div className={styles.columns}>
          <Panel title={t('stops')}>
            <ul className={styles.list}>
              <li>{t('stops_developer')}</li>
              <li>{t('stops_flows')}</li>
              <li>{t('stops_templates')}</li>
              <li>{t('stays')}</li>
            </ul>
          </Panel>
          <AtStake />
        </div>
      </div>
    </>
  )
}

function PlanTable() {
  const t = useWords(planWords)
  const format = useFormat()
  const { account } = useSession()
  // The operator may have set another number of templates for the account's own plan.
  const limitsOf = (plan: (typeof PLANS)[number]) =>
    plan === account.plan ? account.features : PLAN_LIMITS[plan]
  const yes = (has: boolean) => (
    <Icon name={has ? 'check' : 'close'} label={t(has ? 'has' : 'has_not')} />
  )
  const rows = [
    { name: t('inbox'), cell: () => yes(true) },
    { name: t('automations'), cell: (plan) => yes(limitsOf(plan).automations) },
    { name: t('developer'), cell: (plan) => yes(limitsOf(plan).developer) },
    { name: t('flows'), cell: (plan) => format.number(limitsOf(plan).flows) },
    { name: t('templates'), cell: (plan) => format.number(limitsOf(plan).templatesPerDay) },
  ] satisfies { name: string; cell(plan: (typeof PLANS)[number]): React.ReactNode }[]
  return (
    <table className={styles.planTable}>
      <thead>
        <tr>
          <th scope="col">{t('what')}</th>
          {PLANS.map((plan) => (
            <th key={plan} scope="col" data-own={plan === account.plan}>
              {t(plan)}
              {plan === account.plan && <span className="visually-hidden"> {t('yours')}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cell }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {PLANS.map((plan) => (
              <td key={plan} data-own={plan === account.plan}>
                {cell(plan)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The numbers of the company's flows, hook URLs and the like, which a lower plan may not include. */
function AtStake() {
  const t = useWords(planWords)
  const api = useApi()
  const { counts } = useSuspenseQuery(api.get('usage')).data
  return (
    <Panel title={t('now')}>
      <ul className={styles.list}>
        <li>{t('count_flows', { n: counts.flowsOn.used })}</li>
        <li>{t('count_hooks', { n: counts.hookUrls.used })}</li>
        <li>{t('count_endpoints', { n: counts.endpoints.used })}</li>
        <li>{t('count_connections', { n: counts.connections.used })}</li>
        <li>{t('count_actions', { n: counts.aiActions.used })}</li>
      </ul>
    </Panel>
  )
}
