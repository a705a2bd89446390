import { languageWords } from '../../core/words/language-words.ts'
import { NumberInput, SegmentedControl, Switch, TextInput, Textarea, Select } from '@mantine/core'
import { useState } from 'react'
import { FormFoot, useApiForm, type ApiForm } from '../parts/form.tsx'
import type { BookingPageView } from '../../contract/dashboard/booking-setup.ts'
import { BOOKING_SETUP_LIMITS as LIMITS } from '../../core/limits/appointments.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { useApi } from '../app/resources.ts'
import { useCompany } from '../app/company.ts'
import { useMay } from '../app/session.ts'
import { CopyButton } from '../parts/Code.tsx'
import { diffValues } from '../parts/diff-values.ts'
import { ColourField } from '../parts/ColourField.tsx'
import { Panel } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { useZoneName, ZoneSelect } from '../parts/ZoneSelect.tsx'
import { useFormat } from '../words/format.ts'
import { useLanguage } from '../words/language.ts'
import { ACCENT, GROUND, makePalette } from '../../rules/pages/palette.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './setup.module.css'
import { MinutesField } from './SetupForm.tsx'
import { useBookingPage, useServices } from './use-calendar.ts'
import { setupWords } from './words-setup.ts'
import { useQuery } from '@tanstack/react-query'

const TEXTS = ['name', 'intro', 'address'] as const
type Values = Record<
  | 'slug'
  | 'zone'
  | 'name'
  | 'nameAr'
  | 'intro'
  | 'introAr'
  | 'address'
  | 'addressAr'
  | 'phone'
  | 'colour'
  | 'background'
  | 'noticeChannelId'
  | 'noticeTemplate',
  string
> & { isOn: boolean; minNoticeMin: number; maxDays: number; cancelUntilMin: number }

/** Returns the API's input, in which an empty field is null. */
function toJson({ isOn, minNoticeMin, maxDays, cancelUntilMin, ...texts }: Values) {
  const given = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.trim() === '' ? null : text]),
  ) as Record<keyof typeof texts, string | null>
  return { isOn, minNoticeMin, maxDays, cancelUntilMin, ...given }
}

function toValues({ url: _url, ...page }: BookingPageView): Values {
  return Object.fromEntries(
    Object.entries(page).map(([name, value]) => [name, value ?? '']),
  ) as Values
}

/** The tab with the settings, the address and a preview of the public page on which customers book. */
export function BookingPageTab() {
  const t = useWords(setupWords)
  const may = useMay()
  const api = useApi()
  const page = useBookingPage()
  const shown = toValues(page)
  const form = useApiForm<Values>({
    values: shown,
    version: JSON.stringify(shown),
    onSubmit: (values) => api.patch('booking-page', diffValues(toJson(shown), toJson(values))),
    done: t('page_saved'),
  })
  return (
    <div className={layout.columns}>
      <form onSubmit={form.submit} className={styles.form} noValidate>
        <fieldset disabled={!may.setUp} className={styles.plain}>
          <LookFields form={form} />
          <RuleFields form={form} />
        </fieldset>
        {may.setUp && <FormFoot form={form} />}
      </form>
      <div className={styles.side}>
        <Panel title={t('address_of_page')} end={<PageState page={page} />}>
          {page.url === null ? (
            <p className={styles.faint}>{t('no_slug_yet')}</p>
          ) : (
            <div className={styles.link}>
              <a href={page.url} target="_blank" rel="noreferrer" dir="ltr">
                {page.url}
              </a>
              <CopyButton text={page.url} />
            </div>
          )}
        </Panel>
        <Preview values={form.watch()} />
      </div>
    </div>
  )
}

/** Fields for the address and the looks of the page. */
function LookFields({ form }: { form: ApiForm<Values> }) {
  const t = useWords(setupWords)
  return (
    <>
      <Switch label={t('page_is_on')} {...form.check('isOn')} />
      <TextInput
        label={t('slug')}
        description={t('slug_why')}
        classNames={{ input: layout.ltr! }}
        {...form.field('slug')}
      />
      {TEXTS.map((name) => {
        const Input = name === 'intro' ? Textarea : TextInput
        return (
          <div key={name} className={styles.row}>
            <Input label={t(`page_${name}`)} dir="ltr" {...form.field(name)} />
            <Input label={t(`page_${name}_ar`)} dir="rtl" {...form.field(`${name}Ar`)} />
          </div>
        )
      })}
      <div className={styles.row}>
        <TextInput
          label={t('page_phone')}
          classNames={{ input: layout.ltr! }}
          {...form.field('phone')}
        />
        {(['colour', 'background'] as const).map((name) => (
          <ColourField
            key={name}
            label={t(name)}
            usual={name === 'colour' ? ACCENT : GROUND}
            {...form.pick(name)}
          />
        ))}
      </div>
    </>
  )
}

/** Fields for the times at which customers may book and cancel, and for the messages to them. */
function RuleFields({ form }: { form: ApiForm<Values> }) {
  const t = useWords(setupWords)
  const company = useCompany()
  const zoneName = useZoneName()
  return (
    <>
      <div className={styles.row}>
        <MinutesField form={form} name="minNoticeMin" max={LIMITS.minNoticeMin} />
        <MinutesField form={form} name="cancelUntilMin" max={LIMITS.cancelUntilMin} />
      </div>
      <NumberInput
        label={t('maxDays')}
        min={0}
        max={LIMITS.maxDays}
        allowDecimal={false}
        {...form.pick('maxDays')}
      />
      <ZoneSelect
        label={t('zone')}
        description={t('zone_why', { zone: zoneName(company.timeZone) })}
        usual={company.timeZone}
        {...form.pick('zone')}
      />
      <NoticeTemplate
        channelId={form.watch('noticeChannelId')}
        name={form.watch('noticeTemplate')}
        error={form.errorOf('noticeTemplate') ?? form.errorOf('noticeChannelId')}
        onChoose={(channelId, name) => {
          form.setValue('noticeChannelId', channelId, { shouldDirty: true })
          form.setValue('noticeTemplate', name, { shouldDirty: true })
        }}
      />
    </>
  )
}

function PageState({ page }: { page: BookingPageView }) {
  const t = useWords(setupWords)
  return <Pill tone={page.isOn ? 'ok' : 'off'}>{t(page.isOn ? 'page_open' : 'page_closed')}</Pill>
}

const COLOUR = /^#[0-9a-f]{6}$/i

/** A preview of the page's head while the form is edited. The page itself cannot be framed. */
function Preview({ values }: { values: Values }) {
  const t = useWords(setupWords)
  const nameOfLanguage = useWords(languageWords)
  const format = useFormat()
  const { language: own } = useLanguage()
  const [language, setLanguage] = useState<Language>(own)
  const services = useServices().filter(({ canBeBooked }) => canBeBooked)
  const pick = (text: string, arabic: string) => (language === 'ar' ? arabic || text : text)
  const named = (colour: string) => (COLOUR.test(colour) ? colour : null)
  const palette = makePalette({ accent: named(values.colour), ground: named(values.background) })
  return (
    <Panel
      title={t('preview')}
      end={
        <SegmentedControl
          size="xs"
          aria-label={t('preview_language')}
          value={language}
          data={[
            { value: 'en', label: nameOfLanguage('en') },
            { value: 'ar', label: nameOfLanguage('ar') },
          ]}
          onChange={setLanguage}
        />
      }
    >
      <div
        className={styles.preview}
        dir={language === 'ar' ? 'rtl' : 'ltr'}
        lang={language}
        style={{ background: palette.ground, color: palette.ink }}
      >
        <div className={styles.previewHead}>
          <h3>{pick(values.name, values.nameAr) || t('page_without_name')}</h3>
          <p className={styles.previewText} style={{ color: palette.muted }}>
            {pick(values.intro, values.introAr)}
          </p>
          <p className={styles.previewText} style={{ color: palette.muted }}>
            {pick(values.address, values.addressAr)}
          </p>
        </div>
        <ul className={styles.previewCards}>
          {services.map((service) => (
            <li key={service.id} style={{ background: palette.surface, borderColor: palette.edge }}>
              <bdi style={{ color: palette.accentInk }}>
                {pick(service.name, service.nameAr ?? '')}
              </bdi>
              <span style={{ color: palette.muted }}>
                {format.duration(service.minutes * 60_000)}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <p className={styles.faint}>{t('preview_why')}</p>
    </Panel>
  )
}

/** A choice of the approved template for customers who have no conversation that accepts a message at that time. */
function NoticeTemplate({
  channelId,
  name,
  error,
  onChoose,
}: {
  channelId: string
  name: string
  error: string | undefined
  onChoose(channelId: string, name: string): void
}) {
  const t = useWords(setupWords)
  const api = useApi()
  const { data: templates = [] } = useQuery(api.every('templates', { status: 'APPROVED' }))
  const chosen = name === '' ? [] : [{ channelId, name }]
  // A template may exist in several languages, of which the customer's is sent.
  const known = new Map(
    [...chosen, ...templates].map((one) => [`${one.channelId} ${one.name}`, one]),
  )
  return (
    <Select
      label={t('notice_template')}
      description={t('notice_template_why')}
      placeholder={t('no_notice_template')}
      clearable
      searchable
      error={error}
      value={name === '' ? null : `${channelId} ${name}`}
      data={[...known].map(([value, one]) => ({ value, label: one.name }))}
      onChange={(value) => {
        const template = known.get(value ?? '')
        onChoose(template?.channelId ?? '', template?.name ?? '')
      }}
    />
  )
}
