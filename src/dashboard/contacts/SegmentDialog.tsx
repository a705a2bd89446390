import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useGo } from '../app/pages.ts'
import { FormDialog } from '../parts/FormDialog.tsx'
import { useApiForm, type ApiForm } from '../parts/form.tsx'
import type { SegmentFilter, SegmentView } from '../../contract/dashboard/segment.ts'
import { SEGMENT_LIMITS } from '../../core/limits/contacts.ts'
import { CONTACT_SOURCES } from '../../core/vocabulary/contacts.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { ApiError } from '../app/api.ts'
import { useApi } from '../app/resources.ts'
import { Failed } from '../parts/Page.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useChannelName } from '../parts/use-channel-name.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './contacts.module.css'
import { countQuery, tagsQuery } from './queries.ts'
import { contactsWords } from './words.ts'

type Values = {
  name: string
  filter: {
    tags: string[]
    withoutTags: string[]
    fields: Record<string, string>
    language: string | null
    source: string | null
    optedOut: 'accepted' | 'stopped' | null
    channelId: string | null
    wroteWithinDays: number | string
    silentForDays: number | string
  }
}

function toForm(filter: SegmentFilter): Values['filter'] {
  const { tags, withoutTags, fields, language, source, optedOut, channelId } = filter
  return {
    tags: tags ?? [],
    withoutTags: withoutTags ?? [],
    fields: fields ?? {},
    language: language ?? null,
    source: source ?? null,
    optedOut: optedOut === undefined ? null : optedOut ? 'stopped' : 'accepted',
    channelId: channelId ?? null,
    wroteWithinDays: filter.wroteWithinDays ?? '',
    silentForDays: filter.silentForDays ?? '',
  }
}

function toFilter(values: Values['filter']): SegmentFilter {
  const { tags, withoutTags, optedOut, channelId, wroteWithinDays, silentForDays } = values
  const language = LANGUAGES.find((one) => one === values.language)
  const source = CONTACT_SOURCES.find((one) => one === values.source)
  const fields = Object.fromEntries(
    Object.entries(values.fields).filter(([, value]) => value.trim() !== ''),
  )
  return {
    ...(tags.length > 0 && { tags }),
    ...(withoutTags.length > 0 && { withoutTags }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(language && { language }),
    ...(source && { source }),
    ...(optedOut !== null && { optedOut: optedOut === 'stopped' }),
    ...(channelId !== null && { channelId }),
    ...(wroteWithinDays !== '' && { wroteWithinDays: Number(wroteWithinDays) }),
    ...(silentForDays !== '' && { silentForDays: Number(silentForDays) }),
  }
}

/** A form for a new or existing segment, with the number of contacts that match so far. */
export function SegmentDialog({
  segment,
  onClose,
}: {
  segment: SegmentView | null
  onClose(): void
}) {
  const t = useWords(contactsWords)
  const api = useApi()
  const go = useGo()
  const form = useApiForm<Values>({
    values: { name: segment?.name ?? '', filter: toForm(segment?.filter ?? {}) },
    onSubmit: async ({ name, filter }) => {
      const json = { name, filter: toFilter(filter) }
      const saved =
        segment === null
          ? await api.post('segments', json)
          : await api.patch('segments/:segmentId', { segmentId: segment.id }, json)
      toastSuccess(t('segment_saved'))
      onClose()
      await go('contacts', {}, { segment: saved.id })
    },
  })
  return (
    <FormDialog
      form={form}
      size="lg"
      title={segment === null ? t('new_segment') : t('edit_segment')}
      act={t('save_segment')}
      onClose={onClose}
    >
      <TextInput
        label={t('segment_name')}
        maxLength={SEGMENT_LIMITS.nameChars}
        data-autofocus
        {...form.field('name')}
      />
      <p className={layout.quiet}>{t('segment_rule')}</p>
      <FilterFields form={form} />
      <Fits filter={toFilter(form.watch('filter'))} />
    </FormDialog>
  )
}

function FilterFields({ form }: { form: ApiForm<Values> }) {
  const t = useWords(contactsWords)
  const channelName = useChannelName()
  const api = useApi()
  const { data: tags = [] } = useQuery(tagsQuery(api))
  const { data: fields = [] } = useQuery(api.items('contact-fields'))
  const { data: channels = [] } = useQuery(api.every('channels'))
  const pick = (
    name: 'filter.language' | 'filter.source' | 'filter.optedOut' | 'filter.channelId',
    label: string,
    data: { value: string; label: string }[],
  ) => <Select label={label} placeholder={t('any')} clearable data={data} {...form.pick(name)} />
  const days = (
    name: 'filter.wroteWithinDays' | 'filter.silentForDays',
    label: string,
    description?: string,
  ) => (
    <NumberInput
      label={label}
      description={description}
      min={1}
      max={SEGMENT_LIMITS.days}
      allowDecimal={false}
      {...form.pick(name)}
    />
  )
  return (
    <>
      {(['tags', 'withoutTags'] as const).map((name) => (
        <TagsInput
          key={name}
          label={t(name === 'tags' ? 'with_tags' : 'without_tags')}
          data={tags}
          {...form.pick(`filter.${name}`)}
        />
      ))}
      <div className={styles.pair}>
        {pick(
          'filter.language',
          t('of_language'),
          LANGUAGES.map((value) => ({ value, label: t(value) })),
        )}
        {pick(
          'filter.source',
          t('of_source'),
          CONTACT_SOURCES.map((value) => ({ value, label: t(`source_${value}`) })),
        )}
        {pick('filter.optedOut', t('of_messages'), [
          { value: 'accepted', label: t('accepts') },
          { value: 'stopped', label: t('stopped') },
        ])}
        {pick(
          'filter.channelId',
          t('of_channel'),
          channels.map(({ id, name, type }) => ({ value: id, label: name ?? channelName(type) })),
        )}
        {days('filter.wroteWithinDays', t('wrote_within'))}
        {days('filter.silentForDays', t('silent_for'), t('silent_help'))}
        {fields
          .filter(({ isArchived }) => !isArchived)
          .map(({ key, label }) => (
            <TextInput key={key} label={label} {...form.field(`filter.fields.${key}`)} />
          ))}
      </div>
    </>
  )
}

function Fits({ filter }: { filter: SegmentFilter }) {
  const t = useWords(contactsWords)
  const { data, isError, error, refetch } = useQuery(countQuery(useApi(), filter))
  const isTooMany = error instanceof ApiError && error.reason === 'too_many_to_count'
  if (isError && !isTooMany) return <Failed error={error} onRetry={() => void refetch()} />
  return (
    <p className={layout.quiet} role="status">
      {isTooMany ? t('too_many') : data !== undefined && t('fits', { n: data })}
    </p>
  )
}
