import { sql, type Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { TOOL_LIMITS } from '../../../core/limits/tools.ts'
import { namesDay, namesTimeOfDay } from '../../../rules/appointments/names-time.ts'
import { wallTextAt } from '../../../rules/time/zone.ts'
import type { ToolContext } from './tool.ts'

type Slot = { serviceId: string; startsAt: Date; zone: string }

/**
 * Returns whether a free time was found for this customer and then stated to them, in a message that the provider
 * accepted within the last 30 minutes. The message must name the time of day, and the day unless all found times are
 * on one day. Text of the present reply does not count.
 *
 * Isolation: the caller has locked the conversation.
 */
export async function wasOffered(
  tx: Transaction<DB>,
  { conversationId, companyId }: ToolContext,
  { serviceId, startsAt, zone }: Slot,
  now: Date,
): Promise<boolean> {
  const since = new Date(now.getTime() - TOOL_LIMITS.timeOfferedMs)
  const { rows } = await sql<{ startsAt: Date; foundAt: Date }>`
    select starts_at, found_at from offered_slot
    where conversation_id = ${conversationId} and company_id = ${companyId}
      and service_id = ${serviceId}`.execute(tx)
  const slot = rows.find((row) => row.startsAt.getTime() === startsAt.getTime())
  if (!slot) return false
  const { rows: said } = await sql<{ text: string; createdAt: Date }>`
    select text, created_at from message
    where conversation_id = ${conversationId} and company_id = ${companyId}
      and direction = 'out' and sender = 'assistant' and text is not null
      and status in ('accepted', 'sent', 'delivered', 'read')
      and occurred_at >= ${since} and created_at >= ${slot.foundAt}
    order by occurred_at desc, arrival desc limit 50`.execute(tx)
  const day = dayOf({ startsAt, zone })
  const isOneDay = rows.every((row) => dayOf({ startsAt: row.startsAt, zone }) === day)
  return said.some(
    ({ text, createdAt }) =>
      namesTimeOfDay(text, { startsAt, zone }) &&
      (isOneDay || namesDay(text, { startsAt, zone }, createdAt)),
  )
}

const dayOf = ({ startsAt, zone }: { startsAt: Date; zone: string }) =>
  wallTextAt(zone, startsAt).slice(0, 10)
