import { Textarea, TextInput } from '@mantine/core'
import type { SourceWithText } from '../../../contract/dashboard/knowledge.ts'
import { KNOWLEDGE_LIMITS } from '../../../core/limits/knowledge.ts'
import { useApi } from '../../app/resources.ts'
import { diffValues } from '../../parts/diff-values.ts'
import { FormFoot, useApiForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/Page.tsx'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import { knowledgeWords } from './words.ts'

/** A form for a source that was written in the dashboard. */
export function EditSource({ source, text }: { source: SourceWithText; text: string }) {
  const t = useWords(knowledgeWords)
  const api = useApi()
  const isFaq = source.kind === 'faq'
  const values = { title: source.title, text }
  const form = useApiForm<{ title: string; text: string }>({
    values,
    version: source.updatedAt,
    onSubmit: async (typed) => {
      const json = diffValues(values, typed)
      await api.patch('knowledge/sources/:sourceId', { sourceId: source.id }, json)
    },
    done: t('saved'),
  })
  return (
    <Panel title={t('content')}>
      <form onSubmit={form.submit} noValidate className={layout.fields}>
        <TextInput
          label={t(isFaq ? 'question' : 'text_title')}
          maxLength={isFaq ? KNOWLEDGE_LIMITS.questionChars : KNOWLEDGE_LIMITS.titleChars}
          {...form.field('title')}
        />
        <Textarea
          label={t(isFaq ? 'answer' : 'text_body')}
          autosize
          minRows={4}
          maxRows={20}
          {...form.field('text')}
        />
        <FormFoot form={form} act={t('save')} />
      </form>
    </Panel>
  )
}
