import type { HomeView, WaitingCustomer } from '../../contract/dashboard/home.ts'
import { HOUR_MS } from '../../core/limits/units.ts'
import { now } from '../words/now.ts'
import { Ltr } from '../parts/Code.tsx'
import { Avatar, Panel } from '../parts/Page.tsx'
import { PageLink } from '../parts/PageLink.tsx'
import { Pill } from '../parts/Pill.tsx'
import { useTicker } from '../parts/Time.tsx'
import { useVisitorName } from '../parts/visitor-name.ts'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './home.module.css'
import { homeWords } from './words.ts'

/** The customers who wait for a person, with the longest waiting first. */
export function Waiting({ needsPerson }: { needsPerson: HomeView['needsPerson'] }) {
  const t = useWords(homeWords)
  useTicker(true)
  const { items, total } = needsPerson
  const more = total.count - items.length
  return (
    <Panel
      isFlush
      title={t('needs_person')}
      end={
        <PageLink to="inbox" className={styles.link}>
          {t('open_inbox')}
        </PageLink>
      }
    >
      {items.length === 0 && <p className={styles.quiet}>{t('nobody_waits')}</p>}
      <ul className={styles.waiting}>
        {items.map((customer) => (
          <li key={customer.conversationId}>
            <Customer customer={customer} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className={styles.quiet}>
          {total.isMore ? t('more_wait_at_least', { n: total.count }) : t('more_wait', { n: more })}
        </p>
      )}
    </Panel>
  )
}

function Customer({ customer }: { customer: WaitingCustomer }) {
  const t = useWords(homeWords)
  const visitorName = useVisitorName()
  const { phone, reason, reasonText, waitingSince } = customer
  const name = customer.name ?? (customer.isVisitor ? visitorName(customer.conversationId) : null)
  const why = reasonText ?? (reason === null ? t('no_reason') : t(reason))
  return (
    <PageLink
      to="inbox/$conversation"
      params={{ conversation: customer.conversationId }}
      className={styles.customer}
    >
      <Avatar name={name} />
      <span className={styles.customerText}>
        <span className={layout.strong}>
          {name === null ? (
            phone === null ? (
              t('unknown_customer')
            ) : (
              <Ltr>{phone}</Ltr>
            )
          ) : (
            <bdi>{name}</bdi>
          )}
        </span>
        <span className={styles.customerWhy}>
          <bdi>{why}</bdi>
        </span>
      </span>
      <WaitingPill since={waitingSince} />
    </PageLink>
  )
}

function WaitingPill({ since }: { since: string | null }) {
  const t = useWords(homeWords)
  const format = useFormat()
  if (since === null) return <span className={layout.smallText}>{t('not_waiting')}</span>
  const length = Math.max(0, now().getTime() - Date.parse(since))
  const time = format.duration(length)
  return (
    <Pill tone={length < HOUR_MS ? 'warn' : 'bad'} icon="clock">
      <span aria-hidden>{time}</span>
      <span className="visually-hidden">{t('waits', { time })}</span>
    </Pill>
  )
}
