import { Textarea, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { TryResult } from '../../contract/dashboard/hook-url.ts'
import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import type { Country } from '../../core/vocabulary/countries.ts'
import { useApi } from '../app/resources.ts'
import { CountrySelect } from '../parts/CountrySelect.tsx'
import { Form, useApiForm } from '../parts/form.tsx'
import { Banner, Panel } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './developer-tools.module.css'
import { developerToolsWords } from './words.ts'

const BODY = `{
  "customer": { "name": "نورة", "phone": "0501234567" },
  "order": { "number": "10482", "items": [{ "name": "Coffee beans" }] }
}`

/** A tool that reads a path in a body, as a hook does. */
export function PathTester() {
  const t = useWords(developerToolsWords)
  const api = useApi()
  const [tried, setTried] = useState<TryResult | null>(null)
  const form = useApiForm<{ json: string; path: string }>({
    values: { json: BODY, path: 'order.items[0].name' },
    onSubmit: async (json) => setTried(await api.call('post', 'testers/path', json)),
  })
  return (
    <Panel title={t('path')}>
      <Form form={form} act={t('try_path')} className={styles.fields}>
        <p className={layout.help}>{t('path_lead')}</p>
        <Textarea
          dir="ltr"
          label={t('json')}
          autosize
          minRows={5}
          maxRows={16}
          spellCheck={false}
          classNames={{ input: layout.mono! }}
          {...form.field('json')}
        />
        <TextInput
          dir="ltr"
          label={t('path_label')}
          description={t('path_help', { n: HOOK_LIMITS.pathChars })}
          spellCheck={false}
          classNames={{ input: layout.mono! }}
          {...form.field('path')}
        />
      </Form>
      {tried && <ReadResult tried={tried} />}
    </Panel>
  )
}

/** A tool that reads a phone number, as a hook does. */
export function PhoneTester() {
  const t = useWords(developerToolsWords)
  const api = useApi()
  const { value = '' } = useSearch({ from: '/p/$company/developer-tools' })
  const [tried, setTried] = useState<TryResult | null>(null)
  const form = useApiForm<{ value: string; country: Country | null }>({
    values: { value, country: 'SA' },
    onSubmit: async ({ value: written, country }) => {
      const json = { value: written, country: country ?? '' }
      setTried(await api.call('post', 'testers/phone', json))
    },
  })
  return (
    <Panel title={t('phone')}>
      <Form form={form} act={t('try_phone')} className={styles.fields}>
        <p className={layout.help}>{t('phone_lead')}</p>
        <TextInput dir="ltr" label={t('phone_label')} {...form.field('value')} />
        <CountrySelect
          label={t('country')}
          description={t('country_help')}
          {...form.pick('country')}
        />
      </Form>
      {tried && <ReadResult tried={tried} />}
    </Panel>
  )
}

function ReadResult({ tried }: { tried: TryResult }) {
  const t = useWords(developerToolsWords)
  if (!tried.ok) return <Banner tone="bad" title={tried.reason.text} />
  if (tried.value === '') return <Banner tone="warn" title={t('reads_empty')} />
  return (
    <Banner tone="ok" title={t('reads_as')}>
      <bdi className={styles.value}>{tried.value}</bdi>
    </Banner>
  )
}
