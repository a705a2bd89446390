import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { cleanText } from '../../rules/text/json-text.ts'

/**
 * Returns the items whose messages are not stored yet, in whatever form, each message once.
 * @param nameOf returns the channel and the provider's id of an item's message
 */
export async function leaveOutKnown<T>(
  tx: Transaction<DB>,
  items: readonly T[],
  nameOf: (item: T) => { channelId: string; providerMessageId: string },
): Promise<T[]> {
  const names = items.map((item) => {
    const { channelId, providerMessageId } = nameOf(item)
    return { channelId, providerMessageId: cleanText(providerMessageId) }
  })
  const { rows } = await sql<{ channelId: string; providerMessageId: string }>`
    select message.channel_id, message.provider_message_id
    from unnest(${names.map(({ channelId }) => channelId)}::uuid[],
        ${names.map(({ providerMessageId }) => providerMessageId)}::text[])
        as requested (channel_id, provider_message_id)
      join message using (channel_id, provider_message_id)`.execute(tx)
  const keyOf = (name: { channelId: string; providerMessageId: string }) =>
    `${name.channelId} ${name.providerMessageId}`
  const known = new Set(rows.map(keyOf))
  return items.filter((_, index) => {
    const key = keyOf(names[index]!)
    if (known.has(key)) return false
    known.add(key)
    return true
  })
}
