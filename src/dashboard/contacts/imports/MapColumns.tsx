import { Radio, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { FormFoot, useApiForm } from '../../parts/form.tsx'
import type { ContactImportView } from '../../../contract/dashboard/contact-import.ts'
import { foldText } from '../../../rules/text/fold-text.ts'
import {
  IMPORT_MODES,
  IMPORT_TARGETS,
  type ImportMode,
  type PlainTarget,
} from '../../../core/vocabulary/contacts.ts'
import { COUNTRIES } from '../../../core/vocabulary/countries.ts'
import { useApi } from '../../app/resources.ts'
import { Panel, ReadState } from '../../parts/Page.tsx'
import { useManner } from '../../words/language.ts'
import { localeOf } from '../../words/locale.ts'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import styles from './imports.module.css'
import { importWords } from './words.ts'

/** Common column names of each field. */
const USUAL_HEADERS: Readonly<Record<PlainTarget, readonly string[]>> = {
  name: ['name', 'full name', 'customer', 'customer name', 'الاسم', 'اسم العميل', 'العميل'],
  phone: [
    'phone',
    'mobile',
    'phone number',
    'whatsapp',
    'number',
    'الهاتف',
    'الجوال',
    'رقم الجوال',
  ],
  email: ['email', 'e-mail', 'mail', 'email address', 'البريد', 'البريد الإلكتروني'],
  language: ['language', 'lang', 'locale', 'اللغة'],
  tags: ['tags', 'tag', 'labels', 'groups', 'الوسوم', 'وسوم'],
  opted_out: [
    'opted out',
    'opted-out',
    'unsubscribed',
    'opt out',
    'optout',
    'do not contact',
    'أوقف الرسائل',
    'إيقاف الرسائل',
    'إلغاء الاشتراك',
    'ألغى الاشتراك',
  ],
}

type Values = {
  columns: Record<string, string | null>
  mode: ImportMode
  country: string | null
}

/** A form that maps the columns of a file to fields of a contact, with suggestions from the column names. */
export function MapColumns({ job, onChecked }: { job: ContactImportView; onChecked(): void }) {
  const t = useWords(importWords)
  const api = useApi()
  const fields = useQuery(api.items('contact-fields'))
  const channels = useQuery(api.every('channels'))
  if (!fields.data) return <ReadState of={fields} />
  if (!channels.data) return <ReadState of={channels} />
  const countries = new Set(channels.data.flatMap(({ country }) => country ?? []))
  const [companyCountry = null] = countries.size === 1 ? countries : []
  const targets = [
    ...IMPORT_TARGETS.map((target) => ({ target, label: t(target) })),
    ...fields.data
      .filter(({ isArchived }) => !isArchived)
      .map(({ key, label }) => ({ target: `fields.${key}`, label })),
  ]
  const country = job.columns === null ? companyCountry : job.country
  return <Mapping job={job} targets={targets} country={country} onChecked={onChecked} />
}

/** Returns the countries with their names in the interface's language. */
function useCountries(): { value: string; label: string }[] {
  const { language } = useManner()
  return useMemo(() => {
    const names = new Intl.DisplayNames(localeOf(language), { type: 'region', fallback: 'code' })
    const options = COUNTRIES.map((code) => ({ value: code, label: names.of(code) ?? code }))
    return options.toSorted((one, other) => one.label.localeCompare(other.label, language))
  }, [language])
}

type Target = { target: string; label: string }

function guess({ headers, columns }: ContactImportView, { target, label }: Target): string | null {
  if (columns !== null) return columns[target] ?? null
  const key = target.replace('fields.', '')
  const usual = IMPORT_TARGETS.find((one) => one === target)
  const names = [key, label, ...(usual === undefined ? [] : USUAL_HEADERS[usual])].map(foldText)
  return headers.find((header) => names.includes(foldText(header.trim()))) ?? null
}

/** A dot in a field's name would be read as a path, so it is replaced. */
const nameOf = (target: string) => `columns.${target.replace('.', ':')}` as const

type Mapped = {
  job: ContactImportView
  targets: readonly Target[]
  country: string | null
  onChecked(): void
}

function useMapping({ job, targets, country, onChecked }: Mapped) {
  const api = useApi()
  return useApiForm<Values>({
    values: {
      columns: Object.fromEntries(
        targets.map((one) => [one.target.replace('.', ':'), guess(job, one)]),
      ),
      mode: job.mode ?? 'fill',
      country,
    },
    onSubmit: ({ columns, mode, country: said }) => {
      const given = Object.entries(columns).flatMap(([target, header]) =>
        header === null ? [] : [[target.replace(':', '.'), header]],
      )
      const json = {
        columns: Object.fromEntries(given) as Record<string, string>,
        mode,
        country: said,
      }
      return api.post('contact-imports/:importId/check', { importId: job.id }, json)
    },
    onDone: onChecked,
  })
}

function Mapping(mapped: Mapped) {
  const { job, targets } = mapped
  const t = useWords(importWords)
  const countries = useCountries()
  const form = useMapping(mapped)
  return (
    <Panel title={t('columns')}>
      <p className={layout.lead}>{t('columns_lead')}</p>
      <form onSubmit={form.submit} noValidate>
        <div className={styles.fields}>
          {targets.map(({ target, label }) => (
            <Select
              key={target}
              label={label}
              aria-label={t('column_of', { name: label })}
              description={target === 'opted_out' ? t('opted_out_help') : undefined}
              placeholder={t('nothing')}
              clearable
              searchable={job.headers.length > 12}
              data={[...new Set(job.headers)].filter(Boolean)}
              {...form.pick(nameOf(target))}
            />
          ))}
        </div>
        <Select
          mt="lg"
          maw={440}
          label={t('country')}
          description={t('country_help')}
          placeholder={t('country_none')}
          clearable
          searchable
          data={countries}
          {...form.pick('country')}
        />
        <Radio.Group mt="lg" label={t('mode')} {...form.pick('mode')}>
          {IMPORT_MODES.map((mode) => (
            <Radio key={mode} mt="sm" value={mode} label={t(`mode_${mode}`)} />
          ))}
        </Radio.Group>
        <div className={styles.foot}>
          <FormFoot form={form} act={t(job.columns === null ? 'check' : 'check_again')} />
        </div>
      </form>
    </Panel>
  )
}
