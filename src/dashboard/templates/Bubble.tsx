import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TemplateView } from '../../contract/dashboard/template.ts'
import { Ltr } from '../parts/Code.tsx'
import { Banner, Panel } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './templates.module.css'
import { templatesWords } from './words.ts'

const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/

/** A template as the customer sees it, with fields to try values. */
export function Bubble({ template }: { template: TemplateView }) {
  const t = useWords(templatesWords)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const { slots } = template
  const names = [...new Set([...(slots.header === null ? [] : [slots.header]), ...slots.body])]
  const sampleOf = (name: string) => values[name] || t('sample', { name })
  const isArabic = /^(ar|fa|he|ur)\b/.test(template.language.replace('_', '-'))
  return (
    <Panel title={<Ltr>{template.name}</Ltr>}>
      {slots.unsupported !== null && (
        <Banner tone="warn" title={t('flow_cannot_send')}>
          {t(`unsupported_${slots.unsupported.part}`, { type: slots.unsupported.type })}
        </Banner>
      )}
      <div className={styles.bubble} dir={isArabic ? 'rtl' : 'auto'}>
        {template.header !== null && <strong>{fill(template.header, sampleOf)}</strong>}
        <div className={styles.text}>{fill(template.body ?? '', sampleOf)}</div>
        {[...slots.quickReplies, ...slots.urlSuffixes]
          .toSorted((a, b) => a.index - b.index)
          .map(({ index, text }) => (
            <div key={index} className={styles.button}>
              <bdi>{text}</bdi>
            </div>
          ))}
      </div>
      {names.length > 0 && (
        <div className={styles.values}>
          <p className={layout.help}>{t('try_values')}</p>
          {names.map((name) => (
            <TextInput
              key={name}
              size="xs"
              label={t('value_of', { name })}
              placeholder={t('sample', { name })}
              value={values[name] ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget
                setValues((before) => ({ ...before, [name]: value }))
              }}
            />
          ))}
        </div>
      )}
    </Panel>
  )
}

/** Replaces the placeholders between braces by elements that mark their values. */
function fill(text: string, valueOf: (name: string) => string) {
  return text.split(VARIABLE).map((piece, at) =>
    at % 2 === 0 ? (
      piece
    ) : (
      <bdi key={at} className={styles.value}>
        {valueOf(piece)}
      </bdi>
    ),
  )
}
