import { languageWords } from '../../core/words/language-words.ts'
import {
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FormFoot, useApiForm, type ApiForm } from '../parts/form.tsx'
import type { AssistantWithDefaults, AssistantView } from '../../contract/dashboard/assistant.ts'
import { ASSISTANT_SETUP_LIMITS as LIMITS } from '../../core/limits/assistant-setup.ts'
import { ASSISTANT_TONES, HANDOVER_TEXTS } from '../../core/vocabulary/assistant-setup.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { useApi } from '../app/resources.ts'
import { useMay } from '../app/session.ts'
import { tagsQuery } from '../contacts/queries.ts'
import { Panel } from '../parts/Page.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useLanguage } from '../words/language.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './assistant.module.css'
import { toJson, toValues, type SettingsValues } from './settings-values.ts'
import { assistantWords } from './words.ts'
import { PageButton } from '../parts/PageLink.tsx'

type Form = ApiForm<SettingsValues>

/** The form with all settings of the assistant, read-only for members who may not change them. */
export function SettingsForm({
  seen,
  onSaved,
}: {
  seen: AssistantWithDefaults
  onSaved(saved: AssistantWithDefaults): void
}) {
  const t = useWords(assistantWords)
  const api = useApi()
  const { setUp } = useMay()
  const form = useApiForm<SettingsValues>({
    values: toValues(seen),
    onSubmit: async (values) => {
      const json = { revision: seen.revision, ...toJson(values) }
      try {
        onSaved(await api.call('patch', 'assistant', json))
      } catch (error) {
        // A banner above shows the settings that another member has saved, and the typed values stay.
        void api.changed('assistant')
        throw error
      }
      toastSuccess(t('saved'))
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <fieldset disabled={!setUp} className={styles.plain}>
        <div className={styles.columns}>
          <div className={styles.stack}>
            <WhoItIs form={form} />
            <HandoverTexts form={form} ours={seen.ours} />
          </div>
          <div className={styles.stack}>
            <HowItAnswers form={form} />
            <MediaPanel form={form} able={seen.able} />
            <WhatItSees form={form} />
            <Leads form={form} />
          </div>
        </div>
      </fieldset>
      {setUp && <FormFoot form={form} />}
    </form>
  )
}

function WhoItIs({ form }: { form: Form }) {
  const t = useWords(assistantWords)
  return (
    <Panel title={t('who')}>
      <Stack>
        <TextInput label={t('name')} description={t('name_help')} {...form.field('name')} />
        <LongText form={form} name="profile" max={LIMITS.profileChars} rows={7} />
        <LongText form={form} name="guidance" max={LIMITS.guidanceChars} rows={7} />
      </Stack>
    </Panel>
  )
}

/** A text field with its purpose and the used share of its maximum length. */
function LongText({
  form,
  name,
  max,
  rows,
}: {
  form: Form
  name: 'profile' | 'guidance' | 'leadCriteria'
  max: number
  rows: number
}) {
  const t = useWords(assistantWords)
  const count = [...form.watch(name)].length
  return (
    <div>
      <Textarea
        label={t(name)}
        description={t(`${name}_help`)}
        autosize
        minRows={rows}
        maxRows={24}
        {...form.field(name)}
      />
      <div className={styles.count} data-over={count > max}>
        {t('n_of', { n: count, most: max })}
      </div>
    </div>
  )
}

function HowItAnswers({ form }: { form: Form }) {
  const t = useWords(assistantWords)
  const nameOfLanguage = useWords(languageWords)
  return (
    <Panel title={t('how')}>
      <Stack>
        <OneOf
          form={form}
          name="tone"
          options={ASSISTANT_TONES.map((tone) => ({ value: tone, label: t(`tone_${tone}`) }))}
        />
        <OneOf
          form={form}
          name="language"
          help={t('language_help')}
          options={LANGUAGES.map((value) => ({ value, label: nameOfLanguage(value) }))}
        />
        <NumberInput
          label={t('gather')}
          description={t('gather_help')}
          min={0}
          max={LIMITS.debounceMs / 1_000}
          {...form.pick('debounceMs')}
        />
      </Stack>
    </Panel>
  )
}

function OneOf({
  form,
  name,
  help,
  options,
}: {
  form: Form
  name: 'tone' | 'language'
  help?: string
  options: { value: string; label: string }[]
}) {
  const t = useWords(assistantWords)
  const { direction } = useLanguage()
  const { value, onChange } = form.pick(name)
  return (
    <div>
      <div className={styles.label} id={name}>
        {t(name)}
      </div>
      <SegmentedControl
        aria-labelledby={name}
        dir={direction}
        value={value}
        data={options}
        onChange={onChange}
      />
      {help && <p className={layout.help}>{help}</p>}
    </div>
  )
}

/** Fields for the handover message, in each language. */
function HandoverTexts({ form, ours }: { form: Form; ours: AssistantWithDefaults['ours'] }) {
  const t = useWords(assistantWords)
  return (
    <Panel title={t('handover')}>
      <Stack>
        <p className={layout.help}>{t('handover_help')}</p>
        {LANGUAGES.map((language) =>
          HANDOVER_TEXTS.map((when) => {
            const name = `texts.${language}.${when}` as const
            return (
              <Textarea
                key={name}
                label={t(`text_${language}_${when}`)}
                placeholder={ours[language][when] ?? ''}
                dir={language === 'ar' ? 'rtl' : 'ltr'}
                lang={language}
                autosize
                minRows={2}
                {...form.field(name)}
              />
            )
          }),
        )}
      </Stack>
    </Panel>
  )
}

function WhatItSees({ form }: { form: Form }) {
  const t = useWords(assistantWords)
  const api = useApi()
  const fields = useQuery(api.items('contact-fields')).data ?? []
  const tags = useQuery(tagsQuery(api)).data ?? []
  const chosen = form.watch('readableFields')
  const known = fields.filter(({ key, isArchived }) => !isArchived || chosen.includes(key))
  const options = known.map(({ key, label }) => ({ value: key, label }))
  const gone = chosen.filter((key) => !known.some((field) => field.key === key))
  return (
    <Panel title={t('sees')}>
      <Stack>
        <p className={layout.help}>{t('sees_help')}</p>
        <MultiSelect
          label={t('fields')}
          description={t(options.length === 0 ? 'no_fields' : 'fields_help')}
          data={[...options, ...gone.map((key) => ({ value: key, label: key }))]}
          maxValues={LIMITS.readableFields}
          {...form.pick('readableFields')}
        />
        <TagsInput
          label={t('tags')}
          description={t('tags_help')}
          data={tags}
          maxTags={LIMITS.tags}
          {...form.pick('tags')}
        />
      </Stack>
    </Panel>
  )
}

function Leads({ form }: { form: Form }) {
  const t = useWords(assistantWords)
  return (
    <Panel title={t('leads')}>
      <Stack>
        <LongText form={form} name="leadCriteria" max={LIMITS.leadCriteriaChars} rows={4} />
        <NumberInput
          label={t('qualify_at')}
          description={t('qualify_at_help')}
          min={0}
          max={100}
          allowDecimal={false}
          {...form.pick('qualifyAt')}
        />
        <Switch label={t('hands_over_qualified')} {...form.check('handsOverQualified')} />
      </Stack>
    </Panel>
  )
}

const MEDIA = ['transcribes', 'readsImages'] as const

/** Settings of voice notes and photos. A setting that no model supports cannot be switched on. */
function MediaPanel({
  form,
  able,
}: {
  form: ApiForm<SettingsValues>
  able: AssistantView['able']
}) {
  const t = useWords(assistantWords)
  const { setUp } = useMay()
  const isAllAble = MEDIA.every((name) => able[name])
  return (
    <Panel title={t('media')}>
      <Stack>
        {MEDIA.map((name) => (
          <Switch
            key={name}
            label={t(name)}
            description={able[name] ? t(`${name}_help`) : t(`${name}_unable`)}
            disabled={!able[name] && !form.watch(name)}
            {...form.check(name)}
          />
        ))}
        {!isAllAble && setUp && (
          <div className={layout.help}>
            <PageButton to="assistant/models">{t('to_models_able')}</PageButton>
          </div>
        )}
      </Stack>
    </Panel>
  )
}
