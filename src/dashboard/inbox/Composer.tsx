import { useState } from 'react'
import { useWords } from '../words/use-words.tsx'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import { AssistantBar } from './AssistantBar.tsx'
import styles from './composer.module.css'
import { NoteWriter } from './NoteWriter.tsx'
import { ReplyWriter } from './ReplyWriter.tsx'
import { TemplatePicker } from './TemplatePicker.tsx'
import type { ConversationActs } from './use-conversation-acts.ts'
import { WindowBar } from './WindowBar.tsx'
import { composerWords } from './words-composer.ts'

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
