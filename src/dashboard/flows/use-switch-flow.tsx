import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { api, ask } from '../app/api.ts'
import type { FlowView } from '../../contract/dashboard/flow.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import { flowsWords } from './words.ts'

/** Switches flows on at once, and off after it was said what follows. */
export function useSwitchFlow(companyId: string): {
  isBusy: boolean
  ask(flow: FlowView): void
  dialog: ReactNode
} {
  const t = useWords(flowsWords)
  const cache = useQueryClient()
  const { isBusy, run } = useAct()
  const [asked, setAsked] = useState<FlowView | null>(null)
  const turn = async (flow: FlowView) => {
    const param = { companyId, flowId: flow.id }
    const json = { isOn: !flow.isOn }
    const done = await run(() =>
      ask(api.companies[':companyId'].flows[':flowId'].$patch({ param, json })),
    )
    setAsked(null)
    if (!done) return
    sayDone(t(flow.isOn ? 'switched_off' : 'switched_on', { name: flow.name }))
    await Promise.all([
      cache.invalidateQueries({ queryKey: ['flows', companyId] }),
      cache.invalidateQueries({ queryKey: ['flow', companyId, flow.id] }),
    ])
  }
  return {
    isBusy,
    ask: (flow) => (flow.isOn ? setAsked(flow) : void turn(flow)),
    dialog: (
      <Confirm
        isOpen={asked !== null}
        title={t('off_question', { name: asked?.name ?? '' })}
        act={t('switch_off')}
        keep={t('keep_on')}
        isBusy={isBusy}
        onAct={() => asked && void turn(asked)}
        onClose={() => setAsked(null)}
      >
        {t(asked?.triggerKind === 'webhook' ? 'off_hook' : 'off_other')}
      </Confirm>
    ),
  }
}
