import { useGo } from '../app/pages.ts'
import type { DeliveryDetail } from '../../contract/dashboard/delivery.ts'
import { useApi } from '../app/resources.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import { deliveryWords } from './words-delivery.ts'
import { logWords } from './words-log.ts'

/** A dialog that resends a delivery and links to the new one. */
export function ResendDialog({ delivery, onClose }: { delivery: DeliveryDetail; onClose(): void }) {
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
