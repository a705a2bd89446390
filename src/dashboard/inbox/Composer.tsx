import { useState } from 'react'
import { useWords } from '../words/use-words.tsx'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import styles from './composer.module.css'
import { NoteWriter } from './NoteWriter.tsx'
import { ReplyWriter } from './ReplyWriter.tsx'
import { TemplatePicker } from './TemplatePicker.tsx'
import type { ConversationActs } from './use-conversation-acts.ts'
import { WindowBar } from './WindowBar.tsx'
import { composerWords } from './words-composer.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PageLink } from '../parts/PageLink.tsx'
import type { AnsweringView } from '../../contract/dashboard/assistant-reply.ts'
import { useApi } from '../app/resources.ts'
import { Icon } from '../parts/Icon.tsx'

/** The kind of text that a member writes in the composer. */
export type Mode = 'reply' | 'template' | 'note'

/**
 * The composer of a conversation: a reply, a template or a note. Where a reply cannot be sent, the composer says so
 * before the member types, and offers what can be sent.
 */
export function Composer({
  conversation,
  acts,
}: {
  conversation: ConversationDetail
  acts: ConversationActs
}) {
  const [chosen, setMode] = useState<Mode>('reply')
  const { composer, handledBy, status, handover } = conversation
  const instead: Mode = composer.mayTemplate ? 'template' : 'note'
  const mode: Mode =
    chosen === 'note'
      ? 'note'
      : chosen === 'template' && composer.mayTemplate
        ? 'template'
        : composer.mayText
          ? 'reply'
          : instead
  const modes = (
    <Modes
      mode={mode}
      modes={[
        ...(composer.mayText ? (['reply'] as const) : []),
        ...(composer.mayTemplate ? (['template'] as const) : []),
        'note',
      ]}
      onMode={setMode}
    />
  )
  return (
    <div className={styles.composer}>
      {handledBy === 'assistant' && status === 'open' && handover === null && composer.mayText && (
        <AssistantBar conversation={conversation} acts={acts} />
      )}
      <WindowBar conversation={conversation} />
      {mode === 'reply' && <ReplyWriter conversation={conversation} modes={modes} />}
      {mode === 'template' && (
        <TemplatePicker
          conversation={conversation}
          modes={modes}
          onChosen={() => setMode('template')}
        />
      )}
      {mode === 'note' && <NoteWriter conversation={conversation} modes={modes} />}
    </div>
  )
}

function Modes({
  mode,
  modes,
  onMode,
}: {
  mode: Mode
  modes: readonly Mode[]
  onMode(mode: Mode): void
}) {
  const t = useWords(composerWords)
  return (
    <div className={styles.modes} role="group" aria-label={t('what_to_write')}>
      {modes.map((one) => (
        <button
          key={one}
          type="button"
          className={styles.mode}
          aria-pressed={one === mode}
          onClick={() => onMode(one)}
        >
          {t(`mode_${one}`)}
        </button>
      ))}
    </div>
  )
}

const WORKING: readonly string[] = ['gathering', 'thinking', 'sending']

/** A bar above the composer while the assistant handles the conversation: it replies, or the reason why it does not. */
function AssistantBar({
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
