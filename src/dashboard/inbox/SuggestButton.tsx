import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useApi } from '../app/resources.ts'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { IconButton } from '../parts/IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import { composerWords } from './words-composer.ts'

/** A button that asks the assistant for a reply. The reply goes to the composer, and only the member sends it. */
export function SuggestButton({
  conversation,
  onText,
}: {
  conversation: ConversationDetail
  onText(text: string): void
}) {
  const t = useWords(composerWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const { data } = useQuery(
    api.get('conversations/:conversationId/answering', { conversationId: conversation.id }),
  )
  const said = conversation.lastMessage?.at
  const newest = useRef(said)
  useEffect(() => {
    newest.current = said
  })
  const suggest = async () => {
    const suggested = await run(() =>
      api.call('post', 'conversations/:conversationId/suggestion', {
        conversationId: conversation.id,
      }),
    )
    if (!suggested) return
    if (suggested.text === null) toastSuccess(t('no_suggestion'))
    else if (newest.current !== said) toastSuccess(t('suggestion_late'))
    else onText(suggested.text)
  }
  if (data?.state === 'no_model') return null
  return (
    <IconButton
      hasTip
      icon="sparkles"
      label={t('suggest')}
      size={32}
      loading={isBusy}
      onClick={() => void suggest()}
    />
  )
}
