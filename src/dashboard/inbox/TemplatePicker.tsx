import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { ReadState } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import styles from './composer.module.css'
import { useReplyDraft, useTemplateDraft } from './drafts.ts'
import { FillTemplate } from './FillTemplate.tsx'
import { send } from './outbox.ts'
import { WriterFoot } from './Writer.tsx'
import { composerWords } from './words-composer.ts'

/** A picker for templates, which may be sent when the reply window is closed: the choice, its fields and a preview. */
export function TemplatePicker({
  conversation,
  modes,
  onChosen,
}: {
  conversation: ConversationDetail
  modes: ReactNode
  onChosen(): void
}) {
  const t = useWords(composerWords)
  const api = useApi()
  const companyId = useCompanyId()
  const list = useQuery(
    api.get('conversations/:conversationId/templates', { conversationId: conversation.id }),
  )
  const [draft] = useReplyDraft(conversation.id)
  const [{ templateId: chosenId, values }, change] = useTemplateDraft(conversation.id)
  const choose = (templateId: string | null) => {
    change(() => ({ templateId, values: null }))
    // The template in progress stays visible, even when a text may be sent again.
    if (templateId !== null) onChosen()
  }
  const templates = list.data?.items ?? []
  const chosen = templates.find(({ id }) => id === chosenId)
  return (
    <div className={styles.form}>
      {draft.trim() !== '' && !conversation.composer.mayText && (
        <p className={styles.kept}>{t('draft_kept')}</p>
      )}
      <ReadState of={list} rows={2} />
      {list.data && templates.length === 0 && <p className={styles.kept}>{t('no_templates')}</p>}
      {templates.length > 0 && (
        <Select
          label={t('template')}
          placeholder={t('choose_template')}
          searchable
          nothingFoundMessage={t('no_such_template')}
          data={templates.map(({ id, name, language }) => ({
            value: id,
            label: t('template_in', { name, language }),
          }))}
          value={chosenId}
          onChange={choose}
        />
      )}
      {chosen ? (
        <FillTemplate
          key={chosen.id}
          template={chosen}
          contactName={conversation.contact?.name ?? null}
          values={values}
          onValues={(next) => change(() => ({ values: next }))}
          foot={(inside) => <WriterFoot modes={modes}>{inside}</WriterFoot>}
          onSend={(template, shown) => {
            send({ companyId, conversationId: conversation.id, said: { template }, shown })
            choose(null)
          }}
        />
      ) : (
        <WriterFoot modes={modes}>{null}</WriterFoot>
      )}
    </div>
  )
}
