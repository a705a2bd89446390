import type { DeliveryDetail } from '../../contract/dashboard/delivery.ts'
import { LOG_LIMITS } from '../../core/limits/deliveries.ts'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import { DeliveryLink } from './DeliveryFacts.tsx'
import { ResendMark } from './delivery-state.tsx'
import styles from './webhooks.module.css'
import deliveryStyles from './delivery.module.css'
import { deliveryWords } from './words-delivery.ts'

/** The list of deliveries that sent this one again, newest first; empty when there are none. */
export function Resends({ delivery: { resends, hasMoreResends } }: { delivery: DeliveryDetail }) {
  const t = useWords(deliveryWords)
  if (resends.length === 0) return null
  return (
    <section aria-labelledby="resends">
      <h2 id="resends" className={deliveryStyles.sectionTitle}>
        {t('resends')}
      </h2>
      <ul className={deliveryStyles.others} aria-label={t('resends')}>
        {resends.map(({ id, state, createdAt }) => (
          <li key={id}>
            <DeliveryLink id={id} />
            <ResendMark delivery={{ lastResend: { id, state } }} />
            <span className={deliveryStyles.atEnd}>
              <Time at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {hasMoreResends && (
        <p className={styles.help}>{t('more_resends', { limit: LOG_LIMITS.resendsShown })}</p>
      )}
    </section>
  )
}
