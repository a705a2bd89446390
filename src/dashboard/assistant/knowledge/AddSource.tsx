import { Button, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useGo } from '../../app/pages.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import type { SourceView } from '../../../contract/dashboard/knowledge.ts'
import { KNOWLEDGE_LIMITS } from '../../../core/limits/knowledge.ts'
import { KNOWLEDGE_FILE_KINDS, type SourceKind } from '../../../core/vocabulary/knowledge.ts'
import { useApi } from '../../app/resources.ts'
import { FileDrop } from '../../parts/FileDrop.tsx'
import { useApiForm } from '../../parts/form.tsx'
import { Icon } from '../../parts/Icon.tsx'
import type { IconName } from '../../parts/icons.ts'
import { toastSuccess } from '../../parts/toasts.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import styles from './knowledge.module.css'
import { knowledgeWords } from './words.ts'

const ACCEPTED = '.txt,.md,.markdown,.csv,.html,.htm,.docx,.pdf'
const KINDS = KNOWLEDGE_FILE_KINDS.map((kind) => `.${kind}`).join(', ')
const WRITTEN = [
  { kind: 'text', icon: 'note' },
  { kind: 'faq', icon: 'help' },
  { kind: 'page', icon: 'globe' },
] as const satisfies readonly { kind: SourceKind; icon: IconName }[]
type Written = (typeof WRITTEN)[number]['kind']

/** Buttons that add a source: written here, a web page, or a file that is chosen or dropped. */
export function AddSource() {
  const t = useWords(knowledgeWords)
  const format = useFormat()
  const api = useApi()
  const go = useGo()
  const [kind, setKind] = useState<Written | null>(null)
  const { isBusy, run } = useApiMutation()
  const added = (source: SourceView | null) => {
    if (!source) return
    toastSuccess(t('added'))
    if (source.kind === 'file' || source.kind === 'page') {
      void go('assistant/knowledge/$source', { source: source.id })
    }
  }
  // The extension decides the type of document.
  const upload = (file: File) =>
    run(() =>
      api.post('knowledge/files', { name: file.name.slice(-KNOWLEDGE_LIMITS.titleChars) }, file),
    )
  return (
    <>
      <FileDrop
        className={styles.add}
        role="group"
        aria-label={t('adding')}
        accept={ACCEPTED}
        fieldLabel={t('file_input')}
        onFile={(file) => void upload(file).then(added)}
      >
        {(choose) => (
          <>
            {WRITTEN.map(({ kind: each, icon }) => (
              <Button key={each} leftSection={<Icon name={icon} />} onClick={() => setKind(each)}>
                {t(`add_${each}`)}
              </Button>
            ))}
            <Button leftSection={<Icon name="upload" />} loading={isBusy} onClick={choose}>
              {t('add_file')}
            </Button>
            <p className={styles.hint} role="status">
              {isBusy
                ? t('uploading')
                : t('drop', { most: format.bytes(KNOWLEDGE_LIMITS.fileBytes), kinds: KINDS })}
            </p>
          </>
        )}
      </FileDrop>
      {kind !== null && <AddDialog kind={kind} onAdded={added} onClose={() => setKind(null)} />}
    </>
  )
}

type Values = { title: string; text: string; question: string; answer: string; url: string }

function AddDialog({
  kind,
  onAdded,
  onClose,
}: {
  kind: Written
  onAdded(source: SourceView): void
  onClose(): void
}) {
  const t = useWords(knowledgeWords)
  const api = useApi()
  const form = useApiForm<Values>({
    values: { title: '', text: '', question: '', answer: '', url: '' },
    onSubmit: async ({ title, text, question, answer, url }) => {
      const json = {
        text: { kind: 'text', title, text },
        faq: { kind: 'faq', question, answer },
        page: { kind: 'page', url },
      } as const
      onAdded(await api.post('knowledge/sources', json[kind]))
    },
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      size="lg"
      title={t(`add_${kind}`)}
      act={t('add')}
      keep={t('keep')}
      onClose={onClose}
    >
      {kind === 'text' && (
        <>
          <TextInput
            label={t('text_title')}
            maxLength={KNOWLEDGE_LIMITS.titleChars}
            data-autofocus
            {...form.field('title')}
          />
          <Textarea
            label={t('text_body')}
            autosize
            minRows={6}
            maxRows={18}
            {...form.field('text')}
          />
        </>
      )}
      {kind === 'faq' && (
        <>
          <TextInput
            label={t('question')}
            maxLength={KNOWLEDGE_LIMITS.questionChars}
            data-autofocus
            {...form.field('question')}
          />
          <Textarea
            label={t('answer')}
            autosize
            minRows={4}
            maxRows={14}
            {...form.field('answer')}
          />
        </>
      )}
      {kind === 'page' && (
        <TextInput
          label={t('url')}
          description={t('url_help')}
          dir="ltr"
          type="url"
          data-autofocus
          {...form.field('url')}
        />
      )}
    </FormDialog>
  )
}
