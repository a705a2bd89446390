import { useState, type ReactNode } from 'react'
import { type Api } from '../app/resources.ts'
import type { FlowView } from '../../contract/dashboard/flow.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import { flowsWords } from './words.ts'

/** Returns a function that switches a flow on immediately, and off after a confirmation. */
export function useSwitchFlow(api: Api): {
  isBusy: boolean
  toggle(flow: FlowView): void
  dialog: ReactNode
} {
  const t = useWords(flowsWords)
  const { isBusy, run } = useApiMutation()
  const [asked, setAsked] = useState<FlowView | null>(null)
  const turn = (flow: FlowView, isOn: boolean) =>
    api.patch('flows/:flowId', { flowId: flow.id }, { isOn })
  const turnOn = (flow: FlowView) =>
    run(() => turn(flow, true), { done: t('switched_on', { name: flow.name }) })
  return {
    isBusy,
    toggle: (flow) => (flow.isOn ? setAsked(flow) : void turnOn(flow)),
    dialog: (
      <Confirm
        isOpen={asked !== null}
        title={t('off_question', { name: asked?.name ?? '' })}
        act={t('switch_off')}
        keep={t('keep_on')}
        send={() => asked && turn(asked, false)}
        done={t('switched_off', { name: asked?.name ?? '' })}
        onClose={() => setAsked(null)}
      >
        {t(asked?.triggerKind === 'webhook' ? 'off_hook' : 'off_other')}
      </Confirm>
    ),
  }
}
