import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import type { DeliveryDetail } from '../../contract/dashboard/delivery.ts'
import { useApi } from '../app/resources.ts'
import { useLiveQuery } from '../app/live.tsx'
import { now } from '../words/now.ts'
import { Ltr } from '../parts/Code.tsx'
import { Crumbs } from '../parts/Crumbs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Kbd, PageHeader, ReadState } from '../parts/Page.tsx'
import { Tag } from '../parts/Tag.tsx'
import { useTicker } from '../parts/Time.tsx'
import { partsWords } from '../parts/words.ts'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { Attempts } from './Attempts.tsx'
import { DeliveryFacts } from './DeliveryFacts.tsx'
import { DeliveryPill, ResendMark } from './delivery-state.tsx'
import { DeliveryTabs } from './DeliveryTabs.tsx'
import { Resends } from './Resends.tsx'
import { useIsInPlan } from './PlanBanner.tsx'
import layout from '../parts/layout.module.css'
import styles from './delivery.module.css'
import { deliveryWords } from './words-delivery.ts'
import { logWords } from './words-log.ts'
import { useGo } from '../app/pages.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { toastSuccess } from '../parts/toasts.tsx'

/** The page of one delivery of a webhook: its state, its attempts and the request. */
export function Delivery() {
  const api = useApi()
  const { delivery: id } = useParams({ from: '/p/$company/webhooks/deliveries/$delivery' })
  const query = api.get('deliveries/:deliveryId', { deliveryId: id })
  const delivery = useQuery(query)
  useLiveQuery('delivery', query.queryKey, { isOf: (thing) => thing.id === id })
  return delivery.data ? <One key={id} delivery={delivery.data} /> : <ReadState of={delivery} />
}

function One({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords(deliveryWords)
  const log = useWords(logWords)
  const parts = useWords(partsWords)
  const isInPlan = useIsInPlan()
  const [isResending, setResending] = useState(false)
  const { endpoint, kind } = delivery
  // The next attempt is shown with a countdown already.
  const isRetrying = delivery.badge === 'retrying'
  // Held deliveries are sent by their own job; a resend would be held too.
  const isResendable = kind !== 'test' && delivery.state !== 'held'
  const mayResend = isInPlan && isResendable && !endpoint.isDeleted
  useKeyR(mayResend, () => setResending(true))
  return (
    <>
      <Crumbs
        items={[
          <PageLink
            key="endpoint"
            to="webhooks/$endpoint"
            params={{ endpoint: endpoint.id }}
            named={endpoint.name}
          />,
          <PageLink key="log" to="webhooks/$endpoint/deliveries" params={{ endpoint: endpoint.id }}>
            {log('title')}
          </PageLink>,
          <Ltr key="id">{`${delivery.id.slice(0, 4)}…${delivery.id.slice(-4)}`}</Ltr>,
        ]}
      />
      <PageHeader
        above={
          <div className={styles.stateLine}>
            <DeliveryPill delivery={delivery} />
            {kind === 'test' && <Tag>{parts('test')}</Tag>}
            <ResendMark delivery={delivery} />
            <NextTry delivery={delivery} />
          </div>
        }
        title={
          <bdi dir="ltr" className={styles.titleCode}>
            {delivery.type}
          </bdi>
        }
        {...(!isRetrying && { lead: delivery.stateMessage.text })}
        acts={
          mayResend && (
            <Button
              variant="filled"
              leftSection={<Icon name="send" />}
              rightSection={<Kbd>R</Kbd>}
              onClick={() => setResending(true)}
            >
              {t('resend_now')}
            </Button>
          )
        }
      />
      <DeliveryFacts delivery={delivery} />
      <div className={styles.halves}>
        <div>
          <Attempts delivery={delivery} />
          <Resends delivery={delivery} />
        </div>
        <DeliveryTabs delivery={delivery} />
      </div>
      {isResending && <ResendDialog delivery={delivery} onClose={() => setResending(false)} />}
    </>
  )
}

function NextTry({ delivery: { dueAt, attempts } }: { delivery: DeliveryDetail }) {
  const t = useWords(deliveryWords)
  const format = useFormat()
  useTicker(dueAt !== null)
  if (dueAt === null || attempts === 0) return null
  const left = Math.max(0, Date.parse(dueAt) - now().getTime())
  return (
    <span className={layout.count}>
      {t('next_try_at', {
        left: format.duration(left),
        time: format.timeWithSeconds(dueAt),
      })}
    </span>
  )
}

/**
 * Calls `act` on the key R, except while the member types. The key is physical, so that it works on an Arabic keyboard.
 */
function useKeyR(isOn: boolean, act: () => void): void {
  useEffect(() => {
    if (!isOn) return
    const press = (event: KeyboardEvent) => {
      const { target } = event
      const isWriting =
        target instanceof HTMLElement && target.closest('input, textarea, select, [role=dialog]')
      const hasOther = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
      if (event.code === 'KeyR' && !hasOther && !isWriting) act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

/** A dialog that resends a delivery and links to the new one. */
function ResendDialog({ delivery, onClose }: { delivery: DeliveryDetail; onClose(): void }) {
  const t = useWords(deliveryWords)
  const log = useWords(logWords)
  const api = useApi()
  const go = useGo()
  return (
    <Confirm
      title={t('resend_ask')}
      act={log('resend')}
      send={async () => {
        const made = await api.post('deliveries/:deliveryId/resend', { deliveryId: delivery.id })
        toastSuccess(t('resent'), {
          label: t('open_resent'),
          run: () => void go('webhooks/deliveries/$delivery', { delivery: made.id }),
        })
      }}
      onClose={onClose}
    >
      {t('resend_text', { name: delivery.endpoint.name })}
    </Confirm>
  )
}
