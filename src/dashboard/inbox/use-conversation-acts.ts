import { useState } from 'react'
import { ask, api, type Refusal } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { queries } from '../app/queries.ts'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import type { ConversationView } from '../../contract/dashboard/conversation.ts'
import { paramOf } from './inbox-queries.ts'
import { threadWords } from './words-thread.ts'

const one = api.companies[':companyId'].conversations[':conversationId']

export type ConversationActs = {
  isBusy: boolean
  /** Somebody was faster: who has it now, in a sentence. Null otherwise. */
  stale: string | null
  forgetStale(): void
  takeOver(): void
  /** Null: to nobody. */
  assign(personId: string | null): void
  giveBack(): void
  resolve(): void
  reopen(): void
}

/** What is done with who has a conversation. Where two act at once the later one is told, and sees how it stands. */
export function useConversationActs(
  shown: Pick<ConversationView, 'id' | 'turn'>,
): ConversationActs {
  const t = useWords(threadWords)
  const companyId = useCompanyId()
  const { isBusy, run } = useAct()
  const [stale, setStale] = useState<string | null>(null)
  const param = paramOf(companyId, shown.id)
  const readAnew = () => queries.invalidateQueries({ queryKey: ['conversation', companyId] })
  const onRefused = (refusal: Refusal) => {
    if (refusal.code !== 'stale') return false
    setStale(refusal.detail)
    void readAnew()
    return true
  }
  const act = (does: () => Promise<unknown>, done?: () => void) => {
    setStale(null)
    void run(
      async () => {
        await does()
        await readAnew()
        done?.()
      },
      { onRefused },
    )
  }
  const { turn } = shown
  const reopen = () => act(() => ask(one.reopen.$post({ param })))
  return {
    isBusy,
    stale,
    forgetStale: () => setStale(null),
    takeOver: () => act(() => ask(one['take-over'].$post({ param, json: { turn } }))),
    assign: (assigneeId) => act(() => ask(one.assign.$post({ param, json: { assigneeId, turn } }))),
    giveBack: () =>
      act(
        () => ask(one['give-back'].$post({ param })),
        () => sayDone(t('given_back_done')),
      ),
    // What has been told to others is not undone: the opposite act is offered by its name.
    resolve: () =>
      act(
        () => ask(one.resolve.$post({ param })),
        () => sayDone(t('resolved_done'), { label: t('reopen'), run: reopen }),
      ),
    reopen,
  }
}
