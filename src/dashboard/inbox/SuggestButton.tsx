import { ActionIcon, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { Icon } from '../parts/Icon.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import { answeringQuery, paramOf } from './inbox-queries.ts'
import { composerWords } from './words-composer.ts'

/** Asks for a reply by the knowledge. It is put into the composer, and sent by the person alone. */
export function SuggestButton({
  conversation,
  onText,
}: {
  conversation: ConversationDetail
  onText(text: string): void
}) {
  const t = useWords(composerWords)
  const companyId = useCompanyId()
  const { isBusy, run } = useAct()
  const { data } = useQuery(answeringQuery(companyId, conversation.id))
  const said = conversation.lastMessage?.at
  const newest = useRef(said)
  useEffect(() => {
    newest.current = said
  })
  const suggest = async () => {
    const suggestion = api.companies[':companyId'].conversations[':conversationId'].suggestion
    const param = paramOf(companyId, conversation.id)
    const suggested = await run(() => ask(suggestion.$post({ param })))
    if (!suggested) return
    if (suggested.text === null) sayDone(t('no_suggestion'))
    else if (newest.current !== said) sayDone(t('suggestion_late'))
    else onText(suggested.text)
  }
  if (data?.state === 'no_model') return null
  return (
    <Tooltip label={t('suggest')}>
      <ActionIcon
        variant="subtle"
        size={32}
        loading={isBusy}
        aria-label={t('suggest')}
        onClick={() => void suggest()}
      >
        <Icon name="sparkles" />
      </ActionIcon>
    </Tooltip>
  )
}
