import type { DeliveryView } from '../../contract/dashboard/delivery.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { useApi } from '../app/resources.ts'
import { Icon } from '../parts/Icon.tsx'
import { BulkAct, BulkBar } from '../parts/List.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import { oneByOne } from './one-by-one.ts'
import { logWords } from './words-log.ts'

const MOST = DELIVERY_LIMITS.testsAndResendsPerMinute

/**
 * The bar for selected deliveries. It resends them one by one, or only names the limit if they exceed the resends of a
 * minute.
 */
export function LogBulkBar({
  deliveries,
  onResent,
  onClear,
}: {
  deliveries: readonly DeliveryView[]
  /** Removes a delivery from the selection, so that a second press resends only the others. */
  onResent(id: string): void
  onClear(): void
}) {
  const t = useWords(logWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const isTooMany = deliveries.length > MOST
  const resend = async () => {
    let n = 0
    const again = (deliveryId: string) =>
      api.call('post', 'deliveries/:deliveryId/resend', { deliveryId })
    // The oldest delivery is resent first, in the order of the events.
    const ids = deliveries.map(({ id }) => id).toReversed()
    await run(() =>
      oneByOne(ids, again, (id) => {
        n += 1
        onResent(id)
      }),
    )
    void api.changed('deliveries')
    if (n > 0) toastSuccess(t('resent', { n }))
  }
  return (
    <BulkBar
      count={deliveries.length}
      note={isTooMany ? t('bulk_most', { n: MOST }) : t('bulk_note')}
      onClear={onClear}
    >
      {!isTooMany && (
        <BulkAct isBusy={isBusy} onClick={() => void resend()}>
          <Icon name="send" />
          {t('resend')}
        </BulkAct>
      )}
    </BulkBar>
  )
}
