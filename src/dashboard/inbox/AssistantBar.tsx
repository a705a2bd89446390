import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PageLink } from '../parts/PageLink.tsx'
import type { AnsweringView } from '../../contract/dashboard/assistant-reply.ts'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import { useApi } from '../app/resources.ts'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './composer.module.css'
import type { ConversationActs } from './use-conversation-acts.ts'
import { composerWords } from './words-composer.ts'

const WORKING: readonly string[] = ['gathering', 'thinking', 'sending']

/** A bar above the composer while the assistant handles the conversation: it replies, or the reason why it does not. */
export function AssistantBar({
  conversation,
  acts,
}: {
  conversation: ConversationDetail
  acts: ConversationActs
}) {
  const t = useWords(composerWords)
  const api = useApi()
  const { data } = useQuery(
    api.get('conversations/:conversationId/answering', { conversationId: conversation.id }),
  )
  const reply = data?.reply ?? null
  return (
    <div className={styles.assistant}>
      <span>
        <Icon name={data && data.state !== 'on' ? 'off' : 'sparkles'} size={14} />{' '}
        <Answering answering={data} />{' '}
        {reply !== null && (
          <PageLink to="assistant/replies/$reply" params={{ reply: reply.id }}>
            {t('assistant_why')}
          </PageLink>
        )}
      </span>
      <Button size="xs" loading={acts.isBusy} onClick={acts.takeOver}>
        {t('take_over')}
      </Button>
    </div>
  )
}

function Answering({ answering }: { answering: AnsweringView | undefined }) {
  const t = useWords(composerWords)
  if (!answering) return t('assistant_has_it')
  const { state, reply } = answering
  if (state === 'off') return t('assistant_off')
  if (state === 'no_model') return t('assistant_no_model')
  if (reply === null) return t('assistant_has_it')
  if (WORKING.includes(reply.state)) return t('assistant_answers')
  // A conversation that was handed over has been handed back since.
  const isAnswered = reply.state === 'sent' || reply.state === 'handed_over'
  if (isAnswered || reply.why === null) return t('assistant_has_it')
  return t('assistant_did_not', { why: reply.why.text })
}
