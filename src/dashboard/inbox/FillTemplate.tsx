import { Button, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { TemplateView } from '../../contract/dashboard/template.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './composer.module.css'
import type { TemplateValues } from './drafts.ts'
import type { ReplyContent } from './outbox.ts'
import { composerWords } from './words-composer.ts'

const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g

type Slot = { key: string; label: string; of: 'header' | 'body' | 'url'; name: string }

/** The fields of a template, and a preview of the message. */
export function FillTemplate({
  template,
  contactName,
  values: typed,
  onValues,
  isBusy = false,
  foot,
  onSend,
}: {
  template: TemplateView
  contactName: string | null
  /** Null while nothing is typed. */
  values: TemplateValues | null
  onValues(values: TemplateValues): void
  isBusy?: boolean
  /** Wraps the button in the foot of the composer. */
  foot(inside: ReactNode): ReactNode
  onSend(filled: NonNullable<ReplyContent['template']>, shown: string): void
}) {
  const t = useWords(composerWords)
  const { slots } = template
  const fields = useSlots(slots)
  // Most templates begin with the customer's name.
  const [first] = slots.body
  const values = typed ?? (first === undefined ? {} : { [`body-${first}`]: contactName ?? '' })
  const valueOf = (key: string) => (values[key] ?? '').trim()
  const missing = fields.filter(({ key }) => valueOf(key) === '').length
  const preview = (text: string | null, of: 'header' | 'body') =>
    (text ?? '').replaceAll(VARIABLE, (whole, name: string) =>
      of === 'header' ? valueOf('header') || whole : valueOf(`body-${name}`) || whole,
    )
  const header = preview(template.header, 'header')
  const body = preview(template.body, 'body')
  const submit = () =>
    onSend(
      {
        name: template.name,
        language: template.language,
        body: slots.body.map((name) => ({ name, text: valueOf(`body-${name}`) })),
        header: slots.header === null ? null : valueOf('header'),
        urlSuffixes: slots.urlSuffixes.map(({ index }) => ({
          index,
          text: valueOf(`url-${index}`),
        })),
      },
      [header, body].filter((text) => text !== '').join('\n'),
    )
  return (
    <form
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
            maxLength={INBOX_LIMITS.templateValueChars}
            value={values[key] ?? ''}
            onChange={(event) => onValues({ ...values, [key]: event.currentTarget.value })}
          />
        ))}
      </div>
      <Preview template={template} header={header} body={body} />
      {foot(
        <>
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
            loading={isBusy}
            disabled={missing > 0 || slots.unsupported !== null}
            leftSection={<Icon name="send" />}
          >
            {t('send_template')}
          </Button>
        </>,
      )}
    </form>
  )
}

/** Returns the placeholders of a template, each with the label of its field. */
function useSlots(slots: TemplateView['slots']): Slot[] {
  const t = useWords(composerWords)
  return [
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
}

/** The message as the customer will read it. */
function Preview({
  template: { slots },
  header,
  body,
}: {
  template: TemplateView
  header: string
  body: string
}) {
  const t = useWords(composerWords)
  return (
    <div className={styles.preview} aria-label={t('preview')} role="group" tabIndex={0}>
      <div className={styles.previewFrom}>
        <Icon name="template" size={14} /> <span>{t('preview')}</span>
      </div>
      {header !== '' && (
        <div className={layout.strong} dir="auto">
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
  )
}
