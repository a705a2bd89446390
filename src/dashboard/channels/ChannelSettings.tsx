import { NumberInput, PasswordInput, TextInput } from '@mantine/core'
import { Form, useApiForm } from '../parts/form.tsx'
import type { ChannelView } from '../../contract/dashboard/channel.ts'
import { CHANNEL_LIMITS } from '../../core/limits/messaging.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { useApi } from '../app/resources.ts'
import { diffValues } from '../parts/diff-values.ts'
import { Panel } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './channels.module.css'
import { NO_GUIDE, type ChannelGuide } from './connect/channel-guide.ts'
import { FieldOf } from './connect/FieldOf.tsx'
import { channelsWords } from './words.ts'

type Shown = { channel: ChannelView; guide: ChannelGuide | null }

function useSettingsForm({ channel }: Shown, fields: readonly { name: string }[]) {
  const t = useWords(channelsWords)
  const api = useApi()
  const { id: channelId, name: named, takeOverHours: hours, credentials: stored } = channel
  return useApiForm<{
    name: string
    takeOverHours: number
    credentials: Record<string, string>
  }>({
    values: {
      name: named ?? '',
      takeOverHours: hours,
      // Stored secrets are never shown.
      credentials: Object.fromEntries(fields.map(({ name }) => [name, stored[name] ?? ''])),
    },
    version: channel.updatedAt,
    onSubmit: ({ credentials, ...set }) => {
      // An empty field keeps the stored secret.
      const replaced = Object.entries(credentials).filter(
        ([field, value]) => value !== '' && value !== stored[field],
      )
      const json = {
        ...diffValues({ name: named ?? '', takeOverHours: hours }, set),
        ...(replaced.length > 0 && { credentials: Object.fromEntries(replaced) }),
      }
      return api.patch('channels/:channelId', { channelId }, json)
    },
    done: t('saved'),
  })
}

/**
 * The form of a channel's settings: its name, how long automation stays out after a reply of the owner, the choices of
 * its type, and its secrets.
 */
export function ChannelSettings({ channel, guide }: Shown) {
  const t = useWords(channelsWords)
  const { fields } = (guide ?? NO_GUIDE).useTexts()
  const secrets = fields.filter(({ isSecret }) => isSecret)
  const choices = fields.filter(({ isSetLater }) => isSetLater)
  const form = useSettingsForm({ channel, guide }, [...secrets, ...choices])
  return (
    <Panel title={t('settings')}>
      <Form form={form} className={styles.form}>
        <TextInput label={t('name')} {...form.field('name')} />
        {capabilitiesOf(channel.type).ownerMayAnswer && (
          <NumberInput
            label={t('take_over_hours')}
            description={t('take_over_hours_why')}
            min={CHANNEL_LIMITS.minTakeOverHours}
            max={CHANNEL_LIMITS.maxTakeOverHours}
            allowDecimal={false}
            {...form.pick('takeOverHours')}
          />
        )}
        {choices.map((field) => (
          <FieldOf key={field.name} field={field} {...form.field(`credentials.${field.name}`)} />
        ))}
        {secrets.map(({ name, label, where, isOptional }) => {
          const end = channel.secretEnds[name]
          const kept = end == null ? t('token_stays') : t('token_stays_end', { end })
          return (
            <PasswordInput
              key={name}
              label={label}
              description={end === undefined && isOptional ? where : kept}
              autoComplete="off"
              classNames={{ innerInput: layout.ltr! }}
              {...form.field(`credentials.${name}`)}
            />
          )
        })}
      </Form>
    </Panel>
  )
}
