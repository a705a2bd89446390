import { ActionIcon, Menu, NumberInput, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Path } from 'react-hook-form'
import type { TemplateView } from '../../contract/dashboard/template.ts'
import { BROADCAST_LIMITS } from '../../core/limits/broadcasts.ts'
import { OPT_OUT_LINK } from '../../rules/broadcasts/fill-value.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { useApi } from '../app/resources.ts'
import type { ApiForm } from '../parts/form.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useChannelName } from '../parts/use-channel-name.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './broadcasts.module.css'
import type { DraftValues } from './draft-values.ts'
import { draftWords } from './words-draft.ts'

type Chosen = {
  form: ApiForm<DraftValues>
  templates: readonly TemplateView[] | undefined
  /** The chosen template in each of its languages. */
  versions: readonly TemplateView[]
}

/** Fields for the name, the sending number, the template and its values. */
export function MessageFields({
  form,
  templates,
  versions,
  shown,
}: Chosen & { shown: TemplateView | undefined }) {
  const t = useWords(draftWords)
  const channelName = useChannelName()
  const { data: channels } = useQuery(useApi().every('channels'))
  const numbers = (channels ?? []).filter(({ type, isConnected }) => {
    return capabilitiesOf(type).hasTemplates && isConnected
  })
  const only = numbers.length === 1 ? numbers[0]!.id : null
  useEffect(() => {
    if (only !== null && form.getValues('channelId') === null) form.setValue('channelId', only)
  }, [only, form])
  return (
    <>
      <TextInput
        label={t('name')}
        description={t('name_help')}
        maxLength={BROADCAST_LIMITS.nameChars}
        {...form.field('name')}
      />
      <Select
        label={t('channel')}
        description={channels !== undefined && numbers.length === 0 ? t('no_channels') : null}
        allowDeselect={false}
        data={numbers.map(({ id, name, type }) => ({
          value: id,
          label: name ?? channelName(type),
        }))}
        {...form.pick('channelId')}
      />
      <TemplateFields form={form} templates={templates} versions={versions} />
      {shown && <Values form={form} template={shown} />}
      <NumberInput
        label={t('pace')}
        description={t('pace_help', { most: BROADCAST_LIMITS.maxPerSecond })}
        min={1}
        max={BROADCAST_LIMITS.maxPerSecond}
        allowDecimal={false}
        {...form.pick('perSecond')}
      />
    </>
  )
}

/** Fields for the template and its language. */
function TemplateFields({ form, templates, versions }: Chosen) {
  const t = useWords(draftWords)
  const chosen = form.pick('template.name')
  const byName = new Map((templates ?? []).map((template) => [template.name, template]))
  return (
    <>
      <Select
        label={t('template')}
        description={templates?.length === 0 ? t('no_templates') : t('template_help')}
        searchable
        allowDeselect={false}
        disabled={templates === undefined}
        data={[...byName.values()].map(({ name, slots }) => ({
          value: name,
          label:
            slots.unsupported === null
              ? name
              : t('unsupported', { name, part: slots.unsupported.type }),
          disabled: slots.unsupported !== null,
        }))}
        {...chosen}
        error={chosen.error ?? form.errorOf('template')}
        onChange={(name) => {
          chosen.onChange(name)
          form.setValue('template.language', null)
        }}
      />
      {versions.length > 1 && (
        <Select
          label={t('language')}
          description={t('language_help')}
          placeholder={t('any_language')}
          clearable
          data={versions.map(({ language }) => language)}
          {...form.pick('template.language')}
        />
      )}
    </>
  )
}

function Values({ form, template }: { form: ApiForm<DraftValues>; template: TemplateView }) {
  const t = useWords(draftWords)
  const { header, body, urlSuffixes } = template.slots
  return (
    <>
      {header !== null && <Value form={form} name="template.header" label={t('value_header')} />}
      {body.map((name) => (
        <Value
          key={name}
          form={form}
          name={`template.body.v${name}`}
          label={t('value_body', { name })}
        />
      ))}
      {urlSuffixes.map(({ index, text }) => (
        <Value
          key={index}
          form={form}
          name={`template.urls.b${index}`}
          label={t('value_url', { text })}
        />
      ))}
    </>
  )
}

/** A field for a value, which may contain placeholders for data of each contact. */
function Value({
  form,
  name,
  label,
}: {
  form: ApiForm<DraftValues>
  name: Path<DraftValues>
  label: string
}) {
  const t = useWords(draftWords)
  const { data: fields = [] } = useQuery(useApi().items('contact-fields'))
  const insert = (placeholder: string) => {
    const before = form.getValues(name)
    form.setValue(name, `${typeof before === 'string' ? before : ''}{{${placeholder}}}`)
  }
  const known = [
    ['contact.name', t('insert_name')],
    ['contact.phone', t('insert_phone')],
    ['contact.email', t('insert_email')],
    ...fields
      .filter(({ isArchived }) => !isArchived)
      .map((field) => [`contact.fields.${field.key}`, field.label] as const),
    [OPT_OUT_LINK, t('insert_opt_out')],
  ] as const
  return (
    <div className={styles.value}>
      <TextInput label={label} {...form.field(name)} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={34} aria-label={t('insert')}>
            <Icon name="person_add" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          {known.map(([placeholder, word]) => (
            <Menu.Item key={placeholder} onClick={() => insert(placeholder)}>
              <bdi>{word}</bdi>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
