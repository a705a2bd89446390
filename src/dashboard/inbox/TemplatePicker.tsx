import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useCompanyId } from '../app/company.ts'
import { Icon } from '../parts/Icon.tsx'
import { Failed, Skeleton } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { INBOX_LIMITS } from '../../limits/inbox.ts'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import type { TemplateView } from '../../contract/dashboard/template.ts'
import styles from './composer.module.css'
import { useDraft } from './drafts.ts'
import { templatesToSendQuery } from './inbox-queries.ts'
import { send } from './outbox.ts'
import { WriterFoot } from './Writer.tsx'
import { composerWords } from './words-composer.ts'

const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g

/** Where no text may be sent, a template may: which, what is put into it, and how the customer will read it. */
export function TemplatePicker({
  conversation,
  modes,
}: {
  conversation: ConversationDetail
  modes: ReactNode
}) {
  const t = useWords(composerWords)
  const companyId = useCompanyId()
  const list = useQuery(templatesToSendQuery(companyId, conversation.id))
  const [draft] = useDraft(conversation.id)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const templates = list.data?.items ?? []
  const chosen = templates.find(({ id }) => id === chosenId)
  return (
    <div className={styles.form}>
      {draft.trim() !== '' && !conversation.composer.mayText && (
        <p className={styles.kept}>{t('draft_kept')}</p>
      )}
      {list.isError && <Failed error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton rows={2} />}
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
          onChange={setChosenId}
        />
      )}
      {chosen ? (
        <Filled
          key={chosen.id}
          template={chosen}
          conversation={conversation}
          modes={modes}
          onSent={() => setChosenId(null)}
        />
      ) : (
        <WriterFoot modes={modes}>{null}</WriterFoot>
      )}
    </div>
  )
}

type Slot = { key: string; label: string; of: 'header' | 'body' | 'url'; name: string }

function Filled({
  template,
  conversation,
  modes,
  onSent,
}: {
  template: TemplateView
  conversation: ConversationDetail
  modes: ReactNode
  onSent(): void
}) {
  const t = useWords(composerWords)
  const companyId = useCompanyId()
  const { slots } = template
  const fields: Slot[] = [
    ...(slots.header === null
      ? []
      : [{ key: 'header', label: t('slot_header'), of: 'header' as const, name: slots.header }]),
    ...slots.body.map((name) => ({
      key: `body-${name}`,
      label: t('slot_body', { name }),
      of: 'body' as const,
      name,
    })),
    ...slots.urlSuffixes.map(({ index, text }) => ({
      key: `url-${index}`,
      label: t('slot_url', { name: text }),
      of: 'url' as const,
      name: String(index),
    })),
  ]
  // Most templates begin with the customer's name.
  const [values, setValues] = useState<Readonly<Record<string, string>>>({
    ...(slots.body[0] !== undefined && {
      [`body-${slots.body[0]}`]: conversation.contact?.name ?? '',
    }),
  })
  const valueOf = (key: string) => (values[key] ?? '').trim()
  const missing = fields.filter(({ key }) => valueOf(key) === '').length
  const preview = (text: string | null, of: 'header' | 'body') =>
    (text ?? '').replaceAll(VARIABLE, (whole, name: string) =>
      of === 'header' ? valueOf('header') || whole : valueOf(`body-${name}`) || whole,
    )
  const header = preview(template.header, 'header')
  const body = preview(template.body, 'body')
  const submit = () => {
    send({
      companyId,
      conversationId: conversation.id,
      said: {
        template: {
          name: template.name,
          language: template.language,
          body: slots.body.map((name) => ({ name, text: valueOf(`body-${name}`) })),
          header: slots.header === null ? null : valueOf('header'),
          urlSuffixes: slots.urlSuffixes.map(({ index }) => ({
            index,
            text: valueOf(`url-${index}`),
          })),
        },
      },
      shown: [header, body].filter((text) => text !== '').join('\n'),
    })
    onSent()
  }
  return (
    <form
      className={styles.filled}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className={styles.slots}>
        {fields.map(({ key, label }) => (
          <TextInput
            key={key}
            label={label}
            dir="auto"
            maxLength={INBOX_LIMITS.templateValueChars}
            value={values[key] ?? ''}
            onChange={(event) => setValues({ ...values, [key]: event.currentTarget.value })}
          />
        ))}
      </div>
      <div className={styles.preview} aria-label={t('preview')} role="group">
        <div className={styles.previewFrom}>
          <Icon name="template" size={14} /> <span>{t('preview')}</span>
        </div>
        {header !== '' && (
          <div className={styles.previewHead} dir="auto">
            {header}
          </div>
        )}
        <div className={styles.previewBody} dir="auto">
          {body}
        </div>
        {[...slots.quickReplies, ...slots.urlSuffixes].map(({ index, text }) => (
          <div key={index} className={styles.previewButton}>
            <bdi>{text}</bdi>
          </div>
        ))}
      </div>
      <WriterFoot modes={modes}>
        <span className={styles.count}>
          {slots.unsupported !== null
            ? t('template_unsupported')
            : missing > 0
              ? t('values_missing', { n: missing })
              : t('template_billed')}
        </span>
        <Button
          type="submit"
          variant="filled"
          className={styles.send}
          disabled={missing > 0 || slots.unsupported !== null}
          leftSection={<Icon name="send" />}
        >
          {t('send_template')}
        </Button>
      </WriterFoot>
    </form>
  )
}
