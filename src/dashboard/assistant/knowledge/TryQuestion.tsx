import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FoundView } from '../../../contract/dashboard/knowledge.ts'
import { KNOWLEDGE_SEARCH } from '../../../core/limits/knowledge.ts'
import { useApi } from '../../app/resources.ts'
import { Panel } from '../../parts/Page.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import styles from './knowledge.module.css'
import { Pieces } from './Pieces.tsx'
import { knowledgeWords } from './words.ts'

/** A search in the knowledge with a customer's question, as the assistant would do it. */
export function TryQuestion() {
  const t = useWords(knowledgeWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const [question, setQuestion] = useState('')
  const [found, setFound] = useState<readonly FoundView[] | null>(null)
  const search = async () => {
    if (question.trim() === '') return
    const answer = await run(() => api.call('post', 'knowledge/questions', { question }))
    if (answer) setFound(answer.items)
  }
  return (
    <Panel title={t('try')}>
      <div className={styles.stack}>
        <p className={layout.lead}>{t('try_why')}</p>
        <form
          className={styles.ask}
          onSubmit={(event) => {
            event.preventDefault()
            void search()
          }}
        >
          <TextInput
            label={t('try_label')}
            maxLength={KNOWLEDGE_SEARCH.wordingChars}
            value={question}
            onChange={(event) => setQuestion(event.currentTarget.value)}
          />
          <Button type="submit" loading={isBusy}>
            {t('try_act')}
          </Button>
        </form>
        <div role="status">
          {found?.length === 0 && <p className={layout.lead}>{t('nothing_found')}</p>}
        </div>
        {found !== null && found.length > 0 && (
          <Pieces
            pieces={found.map(({ chunkId, heading, title, body }) => ({
              key: chunkId,
              heading: heading ?? title,
              body,
              about: t('from', { title }),
            }))}
          />
        )}
      </div>
    </Panel>
  )
}
