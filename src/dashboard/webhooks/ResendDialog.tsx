import { useGo } from '../app/pages.ts'
import type { DeliveryDetail } from '../../contract/dashboard/delivery.ts'
import { useApi } from '../app/resources.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import { deliveryWords } from './words-delivery.ts'
import { logWords } from './words-log.ts'

/** Sends a delivery again, and offers the new one. */
export function ResendDialog({ delivery, onClose }: { delivery: DeliveryDetail; onClose(): void }) {
  const t = useWords(deliveryWords)
  const log = useWords(logWords)
  const api = useApi()
  const go = useGo()
  const { isBusy, run } = useAct()
  const resend = async () => {
    const made = await run(() =>
      api.post('deliveries/:deliveryId/resend', { deliveryId: delivery.id }),
    )
    if (!made) return
    onClose()
    sayDone(t('resent'), {
      label: t('open_resent'),
      run: () => void go('webhooks/deliveries/$delivery', { delivery: made.id }),
    })
  }
  return (
    <Confirm
      isOpen
      title={t('resend_ask')}
      act={log('resend')}
      isBusy={isBusy}
      onAct={() => void resend()}
      onClose={onClose}
    >
      {t('resend_text', { name: delivery.endpoint.name })}
    </Confirm>
  )
}
