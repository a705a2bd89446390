import { useGo } from '../app/pages.ts'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { RETENTION } from '../../limits/retention.ts'
import { useApi } from '../app/resources.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useSpan } from '../words/use-span.ts'
import { useWords } from '../words/use-words.tsx'
import { endpointWords } from './words-endpoint.ts'

/** Switches an endpoint off, or on again; then what failed before can be sent. */
export function SwitchDialog({ endpoint, onClose }: { endpoint: EndpointView; onClose(): void }) {
  const t = useWords(endpointWords)
  const span = useSpan()
  const api = useApi()
  const go = useGo()
  const { isBusy, run } = useAct()
  const { id, name, isOn, failingSince, off } = endpoint
  const act = async () => {
    const told = await run(async () =>
      isOn
        ? (await api.post('endpoints/:endpointId/switch-off', { endpointId: id })) && t('off_done')
        : (await api.post('endpoints/:endpointId/switch-on', { endpointId: id })).message.text,
    )
    if (told === null) return
    sayDone(told)
    const since = failingSince ?? (off?.reason === 'by_member' ? null : off?.at)
    if (!isOn && since) {
      void go('webhooks/$endpoint', { endpoint: id }, { failedSince: since })
    }
    onClose()
  }
  return (
    <Confirm
      isOpen
      title={isOn ? t('off_ask', { name }) : t('on_ask', { name })}
      act={isOn ? t('switch_off') : t('switch_on')}
      isBusy={isBusy}
      onAct={() => void act()}
      onClose={onClose}
    >
      {isOn ? t('off_text', { time: span(RETENTION.waitingEventMs) }) : t('on_text')}
    </Confirm>
  )
}
