import type { ProviderEvent } from '../inbound.ts'
import { ignored } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readFields, readId, readText } from '../provider/read-values.ts'

/** Reads the field `message_template_status_update`: the event's name is the template's new status. */
export function readTemplateStatus({ account, value }: Change): ProviderEvent[] {
  const event = readText(value.event)
  if (event === undefined) {
    return [ignored('a template event without a word')]
  }
  // Flagging is only a warning; the template can still be sent.
  if (event === 'FLAGGED') {
    return [ignored('a template was flagged')]
  }
  const status = event === 'REINSTATED' ? 'APPROVED' : event
  return readTemplate(account, value, {
    status,
    category: readText(value.message_template_category),
  })
}

/** Reads the field `template_category_update`. Without `new_category` it only announces a change. */
export function readTemplateCategory({ account, value }: Change): ProviderEvent[] {
  const category = readText(value.new_category)
  return category === undefined
    ? [ignored('a template category to come')]
    : readTemplate(account, value, { category })
}

function readTemplate(
  account: string,
  value: Change['value'],
  what: { status?: string; category: string | undefined },
): ProviderEvent[] {
  const name = readText(value.message_template_name)
  const language = readText(value.message_template_language)
  if (name === undefined || language === undefined || account === '') {
    return [ignored('a template event without name, language or account')]
  }
  const { status, category } = what
  return [
    {
      kind: 'template',
      account,
      name,
      language,
      ...(status === undefined ? {} : { status }),
      ...(category === undefined ? {} : { category }),
    },
  ]
}

/** Events of the field `account_update` (of a ban with its state), and whether the channel can be used. */
const ACCOUNT_EVENTS = new Map([
  ['PARTNER_REMOVED', false],
  ['ACCOUNT_OFFBOARDED', false],
  ['ACCOUNT_DELETED', false],
  ['ACCOUNT_RECONNECTED', true],
  ['DISABLED_UPDATE', false],
  ['DISABLED_UPDATE DISABLE', false],
  ['DISABLED_UPDATE REINSTATE', true],
])

/** Events of an account that are read. @internal */
export const WHATSAPP_ACCOUNT_EVENTS: readonly string[] = [...ACCOUNT_EVENTS.keys()]

/**
 * Reads the field `account_update` of a webhook: the business account was lost, such as by a ban, or restored. When the
 * entry is a portfolio, `waba_info` names the account.
 */
export function readAccountUpdate(change: Change): ProviderEvent[] {
  const { value } = change
  const account = readId(readFields(value.waba_info).waba_id) ?? change.account
  const words = [value.event, readFields(value.ban_info).waba_ban_state]
  const reason = words.flatMap((word) => readText(word) ?? []).join(' ')
  const isConnected = ACCOUNT_EVENTS.get(reason)
  return isConnected === undefined || account === ''
    ? [ignored('an account update', reason)]
    : [{ kind: 'channel_state', account, isConnected, reason }]
}
