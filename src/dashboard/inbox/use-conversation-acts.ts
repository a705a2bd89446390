import { useState } from 'react'
import { useApi } from '../app/resources.ts'
import { type ApiError } from '../app/api.ts'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import type { ConversationView } from '../../contract/dashboard/conversation.ts'
import { threadWords } from './words-thread.ts'

/** The acts that change who handles a conversation, and their progress. */
export type ConversationActs = {
  isBusy: boolean
  /** A sentence with the current handler after another member was faster; null otherwise. */
  stale: string | null
  forgetStale(): void
  takeOver(): void
  /** Null removes the assignee. */
  assign(personId: string | null): void
  giveBack(): void
  resolve(): void
  reopen(): void
}

/**
 * Returns the acts that change the handler of a conversation. If two members act concurrently, the later one gets a
 * message and the current state.
 */
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
    // An act that customers or endpoints have already seen is not undone; the opposite act is offered instead.
    resolve: () =>
      act(
        () => api.post('conversations/:conversationId/resolve', { conversationId: shown.id }),
        () => toastSuccess(t('resolved_done'), { label: t('reopen'), run: reopen }),
      ),
    reopen,
  }
}
