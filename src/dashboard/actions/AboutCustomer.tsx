import { Select, TextInput } from '@mantine/core'
import type { ActionView } from '../../contract/dashboard/action.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import {
  ACTION_CHANNELS,
  ACTION_IDENTITIES,
  type ActionIdentity,
} from '../../core/vocabulary/calls.ts'
import { CHANNEL_TYPES } from '../../core/vocabulary/channels.ts'
import type { ApiForm } from '../parts/form.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { offeredOnOf, type ActionValues } from './action-values.ts'
import layout from '../parts/layout.module.css'
import styles from './actions.module.css'
import { Placeholders } from './Placeholders.tsx'
import { channelWords } from '../../core/words/channel-words.ts'
import { actionsWords } from './words.ts'

const EXAMPLE_PATH = 'order.customer.phone'
/** The channels where the assistant replies to senders that the provider does not verify. */
const UNVERIFIED = CHANNEL_TYPES.filter((type) => {
  const { reply, verifiesIdentity } = capabilitiesOf(type)
  return reply.kind !== 'never' && !verifiesIdentity
})

/** Returns the key of the text for the identity that an action requires of the customer. */
export function identityWord(identity: ActionIdentity) {
  return identity === 'none' ? 'none_identity' : identity
}

/** Returns the names of the channels where the assistant replies to unverified senders, as one text. */
export function useUnverifiedChannels(): string {
  const channel = useWords(channelWords)
  return useFormat().list(UNVERIFIED.map((type) => channel(type)))
}

/** A notice on the channels where anyone can request the action's data, and on the data. */
export function AnybodyAsks({
  identity,
  offeredOn,
  shown,
}: Pick<ActionView, 'identity' | 'offeredOn' | 'shown'>) {
  const t = useWords(actionsWords)
  const { list } = useFormat()
  const channels = useUnverifiedChannels()
  if (identity !== 'none') return null
  if (offeredOn === 'verified') {
    return <p className={layout.help}>{t('identity_channels', { channels })}</p>
  }
  const fields = list(shown.map(({ label }) => label))
  return (
    <p className={layout.help}>
      {t('anybody_asks', { channels })}{' '}
      {shown.length === 0 ? t('reads_all') : t('reads', { fields })}
    </p>
  )
}

/**
 * Fields that say whether the action concerns the customer who writes, and how the response is verified to be theirs.
 */
export function AboutCustomer({ form }: { form: ApiForm<ActionValues> }) {
  const t = useWords(actionsWords)
  const channels = useUnverifiedChannels()
  const identity = form.watch('identity')
  const offeredOn = offeredOnOf(form.watch())
  return (
    <div className={styles.fields}>
      <Select
        label={t('identity')}
        description={<Placeholders say="identity_help" />}
        allowDeselect={false}
        data={ACTION_IDENTITIES.map((value) => ({ value, label: t(identityWord(value)) }))}
        {...form.pick('identity')}
      />
      {identity === 'none' && (
        <Select
          label={t('offered_on')}
          allowDeselect={false}
          value={offeredOn}
          error={form.errorOf('offeredOn')}
          data={ACTION_CHANNELS.map((value) => ({ value, label: t(`offered_on_${value}`) }))}
          onChange={(value) => {
            if (value !== null) form.setValue('offeredOn', value)
          }}
        />
      )}
      <AnybodyAsks identity={identity} offeredOn={offeredOn} shown={form.watch('shown')} />
      {identity !== 'none' && (
        <>
          <p className={layout.help}>{t('identity_channels', { channels })}</p>
          <TextInput
            dir="ltr"
            label={t('ownership')}
            description={t('ownership_help')}
            placeholder={EXAMPLE_PATH}
            {...form.field('ownershipPath')}
          />
        </>
      )}
    </div>
  )
}
