import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ChannelView } from '../../../contract/dashboard/channel.ts'
import type { SiteView } from '../../../contract/dashboard/site.ts'
import { ACCENT } from '../../../rules/pages/palette.ts'
import { SITE_LIMITS } from '../../../core/limits/visitors.ts'
import { FORM_FIELDS, type FormField } from '../../../core/vocabulary/visitors.ts'
import { useApi } from '../../app/resources.ts'
import { CodeBlock } from '../../parts/Code.tsx'
import { diffValues } from '../../parts/diff-values.ts'
import { ColourField } from '../../parts/ColourField.tsx'
import { Form, useApiForm } from '../../parts/form.tsx'
import { Banner, Panel, ReadState } from '../../parts/Page.tsx'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import styles from '../channels.module.css'
import type { SiteType } from './ConnectSite.tsx'
import { siteWords } from './site-words.ts'

/** The code for the merchant's pages, and the origins on which it works. */
export function SitePanels({ channel }: { channel: ChannelView }) {
  const t = useWords(siteWords)
  const api = useApi()
  const type = channel.type as SiteType
  const query = useQuery(api.get('channels/:channelId/site', { channelId: channel.id }))
  const { data } = query
  if (!data) return <ReadState of={query} />
  return (
    <>
      <Panel title={t('snippet')}>
        <div className={styles.form}>
          {data.origins.length === 0 && <Banner tone="bad" title={t('no_sites')} />}
          <p>{t(`snippet_${type}`, CODES[type])}</p>
          <CodeBlock code={data.snippet} label={t('snippet')} />
          {data.enquiriesUrl !== null && (
            <>
              <p>{t('own_form')}</p>
              <CodeBlock code={data.enquiriesUrl} label={t('own_form')} />
            </>
          )}
        </div>
      </Panel>
      <Panel title={t('look')}>
        <SiteForm channel={channel} site={data} />
      </Panel>
    </>
  )
}

/** Code that sentences insert literally. */
const CODES = {
  web_widget: { end: '</body>', code: 'data-language="ar"' },
  website: { end: '', code: '?lang=ar' },
} as const

type Values = {
  origins: string
  accent: string
  greetingEn: string
  greetingAr: string
  asksName: FormField
  asksEmail: FormField
}

function toJson({ origins, accent, ...rest }: Values) {
  const lines = origins.split('\n').map((line) => line.trim())
  return { ...rest, origins: lines.filter(Boolean), accent: accent.trim() || null }
}

function SiteForm({ channel, site }: { channel: ChannelView; site: SiteView }) {
  const t = useWords(siteWords)
  const api = useApi()
  const shown: Values = {
    origins: site.origins.join('\n'),
    accent: site.accent ?? '',
    greetingEn: site.greetingEn ?? '',
    greetingAr: site.greetingAr ?? '',
    asksName: site.asksName,
    asksEmail: site.asksEmail,
  }
  const form = useApiForm<Values>({
    values: shown,
    version: JSON.stringify(site),
    onSubmit: async (values) => {
      const json = diffValues(toJson(shown), toJson(values))
      await api.patch('channels/:channelId/site', { channelId: channel.id }, json)
    },
    done: t('saved'),
  })
  const asked = FORM_FIELDS.map((value) => ({ value, label: t(`asked_${value}`) }))
  const wrongSite = Array.from({ length: SITE_LIMITS.origins }, (_, at) =>
    form.errorOf(`origins.${at}` as 'origins'),
  ).find(Boolean)
  return (
    <Form form={form} className={styles.form}>
      <Textarea
        label={t('origins')}
        description={t('origins_why')}
        autosize
        minRows={2}
        classNames={{ input: layout.ltr! }}
        error={form.errorOf('origins') ?? wrongSite}
        {...form.register('origins')}
      />
      <ColourField
        label={t('accent')}
        description={t('accent_why')}
        usual={ACCENT}
        {...form.pick('accent')}
      />
      <TextInput
        label={t('greeting_en')}
        description={t('greeting_why')}
        dir="ltr"
        lang="en"
        {...form.field('greetingEn')}
      />
      <TextInput
        label={t('greeting_ar')}
        description={t('greeting_why')}
        dir="rtl"
        lang="ar"
        {...form.field('greetingAr')}
      />
      {channel.type === 'web_widget' && (
        <>
          <NativeSelect
            label={t('asks_name')}
            description={t('asked_why')}
            data={asked}
            {...form.register('asksName')}
          />
          <NativeSelect label={t('asks_email')} data={asked} {...form.register('asksEmail')} />
        </>
      )}
    </Form>
  )
}
