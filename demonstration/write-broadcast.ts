import type { Transaction } from 'kysely'
import type { Audience, BroadcastTemplate } from '../src/contract/dashboard/broadcast.ts'
import type { DB } from '../src/infra/database/tables.ts'
import { BROADCAST_LIMITS } from '../src/core/limits/broadcasts.ts'

/** The name of the template that the broadcast sends. */
export const OFFER_TEMPLATE_NAME = 'season_offer'

const TEMPLATE: BroadcastTemplate = {
  name: OFFER_TEMPLATE_NAME,
  header: null,
  body: [
    { name: '1', text: '{{contact.name}}' },
    { name: '2', text: '{{opt_out_link}}' },
  ],
  urlSuffixes: [],
}
const AUDIENCE: Audience = { kind: 'filter', filter: { tags: ['vip'] } }

/** Writes a draft of a broadcast to the sample people with the tag "vip", ready to start. */
export async function writeBroadcast(
  tx: Transaction<DB>,
  now: Date,
  { companyId, channelId }: { companyId: string; channelId: string },
): Promise<void> {
  await tx
    .insertInto('broadcast')
    .values({
      id: 'de300000-0000-4000-8000-000000000041',
      companyId,
      channelId,
      name: 'عرض الموسم',
      template: JSON.stringify(TEMPLATE),
      audience: JSON.stringify(AUDIENCE),
      perSecond: BROADCAST_LIMITS.perSecond,
      state: 'draft',
      createdAt: now,
      updatedAt: now,
    })
    .execute()
}
