import { Select, TextInput } from '@mantine/core'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { ACTION_IDENTITIES, type ActionIdentity } from '../../vocabulary/calls.ts'
import { CHANNEL_TYPES } from '../../vocabulary/channels.ts'
import type { ApiForm } from '../parts/form.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import type { ActionValues } from './action-values.ts'
import styles from './actions.module.css'
import { FIELD_ORDER } from './field-order.ts'
import { Placeholders } from './Placeholders.tsx'
import { channelWords } from './words-channels.ts'
import { actionsWords } from './words.ts'

const EXAMPLE_PATH = 'order.customer.phone'
const UNVERIFIED = CHANNEL_TYPES.filter((type) => !capabilitiesOf(type).verifiesIdentity)

export function identityWord(identity: ActionIdentity) {
  return identity === 'none' ? 'none_identity' : identity
}

/** Returns the names of the channels that do not vouch for who writes. */
export function useUnverified(): string {
  const channel = useWords(channelWords)
  return useFormat().list(UNVERIFIED.map((type) => channel(type)))
}

/** Whether the action is about the customer who writes, and how it is seen that an answer is theirs. */
export function AboutCustomer({ form }: { form: ApiForm<ActionValues> }) {
  const t = useWords(actionsWords)
  const channels = useUnverified()
  const identity = form.watch('identity')
  return (
    <div className={styles.fields}>
      <Select
        label={t('identity')}
        description={<Placeholders say="identity_help" />}
        inputWrapperOrder={FIELD_ORDER}
        allowDeselect={false}
        value={identity}
        error={form.errorOf('identity')}
        data={ACTION_IDENTITIES.map((value) => ({ value, label: t(identityWord(value)) }))}
        onChange={(value) => {
          if (value !== null) form.setValue('identity', value)
        }}
      />
      {identity === 'none' && <p className={styles.help}>{t('anybody_asks', { channels })}</p>}
      {identity !== 'none' && (
        <>
          <p className={styles.help}>{t('identity_channels', { channels })}</p>
          <TextInput
            dir="ltr"
            label={t('ownership')}
            description={t('ownership_help')}
            inputWrapperOrder={FIELD_ORDER}
            placeholder={EXAMPLE_PATH}
            error={form.errorOf('ownershipPath')}
            {...form.register('ownershipPath')}
          />
        </>
      )}
    </div>
  )
}
