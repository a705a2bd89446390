import { TextInput } from '@mantine/core'
import type { ConnectedChannel } from '../../../contract/dashboard/channel.ts'
import type { ChannelType } from '../../../core/vocabulary/channels.ts'
import type { Country } from '../../../core/vocabulary/countries.ts'
import { useApi } from '../../app/resources.ts'
import { CountrySelect } from '../../parts/CountrySelect.tsx'
import { Form, useApiForm } from '../../parts/form.tsx'
import { useWords } from '../../words/use-words.tsx'
import styles from '../channels.module.css'
import { channelsWords } from '../words.ts'
import type { ChannelGuide } from './channel-guide.ts'
import { FieldOf } from './FieldOf.tsx'

type Values = { name: string; country: Country | null; credentials: Record<string, string> }

/**
 * A form for the provider's credentials, with the fields of the channel type's adapter, and for the name of the
 * channel.
 */
export function ConnectForm({
  type,
  guide,
  onConnected,
}: {
  type: ChannelType
  guide: ChannelGuide
  onConnected(connected: ConnectedChannel): void
}) {
  const t = useWords(channelsWords)
  const api = useApi()
  const { fields } = guide.useTexts()
  const form = useApiForm<Values>({
    values: {
      name: '',
      country: null,
      credentials: Object.fromEntries(
        fields.map(({ name, options }) => [name, options?.[0]?.value ?? '']),
      ),
    },
    onSubmit: async ({ name, country, credentials }) => {
      const connected = await api.call('post', 'channels', {
        type,
        name,
        credentials: Object.fromEntries(
          fields.flatMap((field) => {
            const value = (field.read ?? same)(credentials[field.name] ?? '')
            return field.isOptional && value === '' ? [] : [[field.name, value]]
          }),
        ),
        ...(country !== null && { country }),
      })
      onConnected(connected)
      await api.changed('channels')
    },
  })
  return (
    <Form form={form} act={t('connect')} className={styles.form}>
      <TextInput label={t('name')} description={t('name_why')} {...form.field('name')} />
      {fields.map((field) => (
        <FieldOf key={field.name} field={field} {...form.field(`credentials.${field.name}`)} />
      ))}
      {guide.asksCountry && (
        <CountrySelect description={t('country_why')} {...form.pick('country')} />
      )}
    </Form>
  )
}

const same = (typed: string) => typed.trim()
