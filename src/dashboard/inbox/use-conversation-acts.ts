import { useState } from 'react'
import { useApi } from '../app/resources.ts'
import { type ApiError } from '../app/api.ts'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import type { ConversationView } from '../../contract/dashboard/conversation.ts'
import { threadWords } from './words-thread.ts'

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
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const [stale, setStale] = useState<string | null>(null)
  const onRefused = (refusal: ApiError) => {
    if (refusal.code !== 'stale') return false
    setStale(refusal.detail)
    return true
  }
  const act = (does: () => Promise<unknown>, done?: () => void) => {
    setStale(null)
    void run(
      async () => {
        await does()
        done?.()
      },
      { onRefused },
    )
  }
  const { turn } = shown
  const reopen = () =>
    act(() => api.post('conversations/:conversationId/reopen', { conversationId: shown.id }))
  return {
    isBusy,
    stale,
    forgetStale: () => setStale(null),
    takeOver: () =>
      act(() =>
        api.post('conversations/:conversationId/take-over', { conversationId: shown.id }, { turn }),
      ),
    assign: (assigneeId) =>
      act(() =>
        api.post(
          'conversations/:conversationId/assign',
          { conversationId: shown.id },
          { assigneeId, turn },
        ),
      ),
    giveBack: () =>
      act(
        () => api.post('conversations/:conversationId/give-back', { conversationId: shown.id }),
        () => toastSuccess(t('given_back_done')),
      ),
    // What has been told to others is not undone: the opposite act is offered by its name.
    resolve: () =>
      act(
        () => api.post('conversations/:conversationId/resolve', { conversationId: shown.id }),
        () => toastSuccess(t('resolved_done'), { label: t('reopen'), run: reopen }),
      ),
    reopen,
  }
}
