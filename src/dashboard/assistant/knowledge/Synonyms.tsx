import { TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Form, useApiForm } from '../../parts/form.tsx'
import { KNOWLEDGE_LIMITS } from '../../../core/limits/knowledge.ts'
import { useApi } from '../../app/resources.ts'
import { Panel, ReadState } from '../../parts/Page.tsx'
import { toastSuccess } from '../../parts/toasts.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { useFormat } from '../../words/format.ts'
import { IconButton } from '../../parts/IconButton.tsx'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import styles from './knowledge.module.css'
import { knowledgeWords } from './words.ts'

/** The list of synonyms: words that the company's customers use, with their meanings in its documents. */
export function Synonyms() {
  const t = useWords(knowledgeWords)
  const format = useFormat()
  const api = useApi()
  const list = useQuery(api.items('knowledge/synonyms'))
  const { isBusy, run } = useApiMutation()
  const form = useApiForm<{ word: string; means: string[] }>({
    values: { word: '', means: [] },
    onSubmit: async (json) => {
      await api.put('knowledge/synonyms', json)
      toastSuccess(t('set_done'))
      form.reset()
    },
  })
  const remove = async (word: string) => {
    await run(async () => {
      await api.post('knowledge/synonyms/delete', { word })
      return true
    })
  }
  return (
    <Panel title={t('synonyms')}>
      <p className={layout.lead}>{t('synonyms_why')}</p>
      <ReadState of={list} rows={2} />
      {list.data?.length === 0 && <p className={layout.lead}>{t('no_synonyms')}</p>}
      <ul className={styles.rows}>
        {(list.data ?? []).map(({ word, means }) => (
          <li key={word} className={styles.row}>
            <span>
              <bdi>
                <strong>{word}</strong>
              </bdi>
              {': '}
              <bdi>{format.list(means)}</bdi>
            </span>
            <IconButton
              icon="trash"
              label={t('remove_synonym', { word })}
              disabled={isBusy}
              onClick={() => void remove(word)}
            />
          </li>
        ))}
      </ul>
      <Form form={form} act={t('set')} className={layout.fields}>
        <TextInput
          label={t('word')}
          maxLength={KNOWLEDGE_LIMITS.synonymChars}
          {...form.field('word')}
        />
        <TagsInput
          label={t('means')}
          description={t('means_help')}
          maxTags={KNOWLEDGE_LIMITS.meanings}
          {...form.pick('means')}
        />
      </Form>
    </Panel>
  )
}
