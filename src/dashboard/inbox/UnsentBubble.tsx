import { Button } from '@mantine/core'
import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { putBefore } from './drafts.ts'
import { discard, sendAgain, type Unsent } from './outbox.ts'
import styles from './thread.module.css'
import { threadWords } from './words-thread.ts'

/**
 * A message on its way to the service, or one that failed to arrive. A failed one stays until the member retries, edits
 * or discards it.
 */
export function UnsentBubble({ unsent }: { unsent: Unsent }) {
  const t = useWords(threadWords)
  const { state, shown, refusal, said, conversationId } = unsent
  const edit = () => {
    putBefore(conversationId, said.text ?? said.caption ?? '')
    discard(unsent)
  }
  const mayEdit = (said.text ?? said.caption ?? '') !== ''
  return (
    <article
      className={styles.bubble}
      data-ours
      data-status={state}
      role={state === 'failed' ? 'alert' : undefined}
    >
      <div className={styles.words} dir="auto">
        {shown}
      </div>
      {state === 'sending' ? (
        <div className={styles.trouble}>
          <Pill tone="busy">{t('status_sending')}</Pill>
        </div>
      ) : (
        <div className={styles.trouble}>
          <Pill tone="bad">{t('not_sent')}</Pill>
          <span className={styles.troubleWhy}>{refusal ?? t('unsent_offline')}</span>
          <Button size="xs" variant="filled" onClick={() => sendAgain(unsent)}>
            {t('try_again')}
          </Button>
          {mayEdit && (
            <Button size="xs" onClick={edit}>
              {t('edit')}
            </Button>
          )}
          <Button size="xs" onClick={() => discard(unsent)}>
            {t('discard')}
          </Button>
        </div>
      )}
    </article>
  )
}
