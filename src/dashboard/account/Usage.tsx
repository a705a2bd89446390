import { useSuspenseQuery } from '@tanstack/react-query'
import type { Allowance, Count, UsageView } from '../../contract/dashboard/usage.ts'
import { useApi } from '../app/resources.ts'
import { now } from '../words/now.ts'
import { Bars } from '../parts/Bars.tsx'
import { Meter, PageHeader, Panel } from '../parts/Page.tsx'
import { useFormat } from '../words/format.ts'
import { appWords } from '../frame/words.ts'
import { Rich, useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './account.module.css'
import { usageWords } from './words-usage.ts'

const READ_AGAIN_MS = 15_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** The number of days between two labels below the bars. */
const LABEL_EVERY = 10

/** The page that shows how much of each limit and daily allowance the account has used. */
export function Usage() {
  const t = useWords(usageWords)
  const format = useFormat()
  const api = useApi()
  const { data: usage } = useSuspenseQuery({ ...api.get('usage'), refetchInterval: READ_AGAIN_MS })
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className={layout.stack}>
        <div className={styles.columns}>
          <Panel
            title={t('allowances')}
            end={
              <span className={layout.help}>
                {t('read_again', { time: format.timeWithSeconds(usage.at) })}
              </span>
            }
          >
            <Allowances usage={usage} />
          </Panel>
          <Panel title={t('counts')}>
            <Counts counts={usage.counts} />
          </Panel>
        </div>
        {usage.hookRequestsByUrl.length > 0 && (
          <Panel title={t('by_url')}>
            <div className={styles.meters}>
              {usage.hookRequestsByUrl.map(({ hookUrlId, flowName, ...allowance }) => (
                <AllowanceMeter key={hookUrlId} name={flowName} allowance={allowance} />
              ))}
            </div>
          </Panel>
        )}
        <Panel title={t('days')}>
          <Days days={usage.days} />
        </Panel>
      </div>
    </>
  )
}

function Allowances({ usage }: { usage: UsageView }) {
  const t = useWords(usageWords)
  const app = useWords(appWords)
  const format = useFormat()
  const { automatedTemplates: templates } = usage
  const shares = templates.byCompany.map(
    ({ name, used }) => `${name ?? app('own_company')} ${format.number(used)}`,
  )
  return (
    <div className={styles.meters}>
      <AllowanceMeter
        name={t('templates')}
        note={shares.length > 1 ? format.list(shares) : t('templates_why')}
        allowance={templates}
        ofDay
      />
      <AllowanceMeter name={t('calls')} note={t('calls_why')} allowance={usage.calls} ofDay />
      <AllowanceMeter
        name={t('hook_requests')}
        note={t('hook_requests_why')}
        allowance={usage.hookRequests}
      />
      <AllowanceMeter
        name={t('resends')}
        note={t('of_account')}
        allowance={usage.testsAndResends}
      />
      <AllowanceMeter
        name={t('connection_tests')}
        note={t('of_account')}
        allowance={usage.connectionTests}
      />
    </div>
  )
}

function AllowanceMeter({
  name,
  note,
  allowance: { used, limit, resetsAt },
  ofDay = false,
}: {
  name: string
  note?: string
  allowance: Allowance
  /** The allowance is a daily one, so its end can be estimated. */
  ofDay?: boolean
}) {
  const t = useWords(usageWords)
  const format = useFormat()
  const ends = ofDay ? endOf({ used, limit, resetsAt }) : null
  const time = format.dateTime(resetsAt)
  return (
    <div>
      <MeterLine name={name} used={used} limit={limit} />
      <p className={layout.help}>
        {limit === 0
          ? t('not_in_plan')
          : used >= limit
            ? t('is_over', { time })
            : t('resets', { time })}
        {note !== undefined && ' · '}
        <bdi>{note}</bdi>
      </p>
      {ends !== null && <p className={layout.help}>{t('ends_at', { time: format.time(ends) })}</p>}
    </div>
  )
}

/**
 * Returns the time at which the daily allowance runs out at the present rate. Returns null if it lasts all day, or if
 * less than a fifth is used.
 */
function endOf({ used, limit, resetsAt }: Allowance): Date | null {
  const reset = Date.parse(resetsAt)
  const at = now().getTime()
  const passed = at - (reset - DAY_MS)
  if (used >= limit || used < limit / 5 || passed <= 0) return null
  const end = at + ((limit - used) * passed) / used
  return end < reset - MINUTE_MS ? new Date(end) : null
}

function MeterLine({ name, used, limit }: { name: string } & Count) {
  const t = useWords(usageWords)
  const format = useFormat()
  return (
    <>
      <div className={styles.meterLine}>
        <bdi>{name}</bdi>
        <span className={styles.value}>
          <Rich
            words={usageWords}
            say="used"
            with={{ used: <b>{format.number(used)}</b>, limit: format.number(limit) }}
          />
        </span>
      </div>
      <Meter value={used} limit={limit} label={`${name}: ${t('used', { used, limit })}`} />
    </>
  )
}

function Counts({ counts }: { counts: UsageView['counts'] }) {
  const t = useWords(usageWords)
  const names = {
    flowsOn: t('flows_on'),
    hookUrls: t('hook_urls'),
    endpoints: t('endpoints'),
    connections: t('connections'),
    aiActions: t('ai_actions'),
  } as const
  return (
    <div className={styles.meters}>
      {(Object.keys(names) as (keyof typeof names)[]).map((key) => (
        <div key={key}>
          <MeterLine name={names[key]} {...counts[key]} />
          {counts[key].limit === 0 && <p className={layout.help}>{t('not_in_plan')}</p>}
        </div>
      ))}
    </div>
  )
}

function Days({ days }: { days: UsageView['days'] }) {
  const t = useWords(usageWords)
  const format = useFormat()
  const barsOf = (
    read: (day: UsageView['days'][number]) => { good: number; bad: number },
    tip: (values: { day: string; good: number; bad: number }) => string,
  ) =>
    days.map((day, at) => {
      const { good, bad } = read(day)
      const label = format.utcDay(day.day)
      return {
        key: day.day,
        label,
        isLabelled: (days.length - 1 - at) % LABEL_EVERY === 0,
        good,
        bad,
        tip: tip({ day: label, good, bad }),
      }
    })
  const charts = [
    {
      name: t('templates_by_day'),
      heads: [t('day'), t('number')] as const,
      bars: barsOf(
        ({ automatedTemplates: good }) => ({ good, bad: 0 }),
        ({ day, good: n }) => t('template_tip', { day, n }),
      ),
    },
    {
      name: t('calls_by_day'),
      heads: [t('day'), t('number')] as const,
      bars: barsOf(
        ({ calls: good }) => ({ good, bad: 0 }),
        ({ day, good: n }) => t('call_tip', { day, n }),
      ),
    },
    {
      name: t('deliveries'),
      heads: [t('day'), t('succeeded'), t('failed')] as const,
      bars: barsOf(
        ({ deliveryAttempts, failedDeliveryAttempts: bad }) => ({
          good: deliveryAttempts - bad,
          bad,
        }),
        ({ day, good, bad }) => t('delivery_tip', { day, good, bad }),
      ),
    },
  ]
  return (
    <div className={styles.bars}>
      {charts.map(({ name, bars, heads }) => (
        <div key={name}>
          <div className={styles.meterLine}>
            <span>{name}</span>
            <span className={styles.value}>
              {t('in_all', { n: bars.reduce((sum, { good, bad }) => sum + good + bad, 0) })}
            </span>
          </div>
          <Bars label={name} bars={bars} heads={heads} />
        </div>
      ))}
    </div>
  )
}
