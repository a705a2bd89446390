import { useGo } from '../app/pages.ts'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { RETENTION } from '../../core/limits/retention.ts'
import { useApi } from '../app/resources.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useSpan } from '../words/use-span.ts'
import { useWords } from '../words/use-words.tsx'
import { endpointWords } from './words-endpoint.ts'

/** A dialog that switches an endpoint off or on; afterwards, failed deliveries can be resent. */
export function SwitchDialog({ endpoint, onClose }: { endpoint: EndpointView; onClose(): void }) {
  const t = useWords(endpointWords)
  const span = useSpan()
  const api = useApi()
  const go = useGo()
  const { id, name, isOn, failingSince, off } = endpoint
  const switchIt = async () => {
    if (isOn) {
      await api.post('endpoints/:endpointId/switch-off', { endpointId: id })
      return toastSuccess(t('off_done'))
    }
    const result = await api.post('endpoints/:endpointId/switch-on', { endpointId: id })
    toastSuccess(result.message.text)
    const since = failingSince ?? (off?.reason === 'by_member' ? null : off?.at)
    if (since) void go('webhooks/$endpoint', { endpoint: id }, { failedSince: since })
  }
  return (
    <Confirm
      title={isOn ? t('off_ask', { name }) : t('on_ask', { name })}
      act={isOn ? t('switch_off') : t('switch_on')}
      send={switchIt}
      onClose={onClose}
    >
      {isOn ? t('off_text', { time: span(RETENTION.waitingEventMs) }) : t('on_text')}
    </Confirm>
  )
}
