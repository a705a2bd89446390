import { sql } from 'kysely'
import { readInTime } from '../contacts/read-in-time.ts'
import { countInTime } from '../contacts/segments.ts'
import type { Context } from '../context.ts'
import type { BroadcastCheck } from '../contract/dashboard/broadcast.ts'
import type { Tell } from '../contract/dashboard/told.ts'
import { SEGMENT_LIMITS } from '../limits/contacts.ts'
import { SECOND_MS } from '../limits/units.ts'
import type { ContactRow } from '../messaging/contact.ts'
import { newMessageId } from '../messaging/queue-message.ts'
import { fitsAudience, freezeAudience, type FrozenAudience } from './audience.sql.ts'
import { findProblems, readVersions } from './find-problems.ts'
import { requireBroadcast, type BroadcastRow, type OwnedBroadcast } from './require-broadcast.ts'
import { fill, type LinkDeps } from './write-to-recipients.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'> & LinkDeps & { tell: Tell }

/**
 * What stands in the way of a start, to how many it would go now, how long it would take, and what the
 * first of them would read. Changes nothing. @throws not_found. Spec: Broadcasts › Drafts.
 */
export async function checkBroadcast(deps: Deps, owned: OwnedBroadcast): Promise<BroadcastCheck> {
  const { db, clock, tell } = deps
  const row = await requireBroadcast(db.kysely, owned)
  const problems = await findProblems(db.kysely, row)
  const told = problems.map(({ field, ...why }) => ({ field, ...tell(why) }))
  const { perSecond, companyId } = row
  if (problems.some(({ field }) => field === 'audience')) {
    return { problems: told, contacts: null, perSecond, lengthMs: null, sample: null }
  }
  const audience = row.filter ?? (await freezeAudience(db.kysely, companyId, row.audience))
  const conditions = fitsAudience(companyId, audience, row.startedAt ?? clock.now())
  const contacts = await countInTime(db, companyId, conditions)
  return {
    problems: told,
    contacts,
    perSecond,
    lengthMs: contacts === null ? null : Math.ceil((contacts / perSecond) * SECOND_MS),
    sample: problems.length === 0 ? await readSample(deps, row, audience) : null,
  }
}

/** Of the first who would be sent anything. */
async function readSample(
  deps: Deps,
  row: BroadcastRow,
  audience: FrozenAudience,
): Promise<BroadcastCheck['sample']> {
  const { db, ids, clock } = deps
  const conditions = [
    sql`contact.company_id = ${row.companyId}`,
    sql`contact.phone is not null and contact.opted_out_at is null`,
    ...fitsAudience(row.companyId, audience, row.startedAt ?? clock.now()),
  ]
  const { companyId } = row
  const within = { companyId, withinMs: SEGMENT_LIMITS.countMs }
  const contact = await readInTime(db, within, async (tx) => {
    const { rows } = await sql<ContactRow>`
      select contact.* from contact where ${sql.join(conditions, sql` and `)}
      order by contact.id limit 1`.execute(tx)
    return rows[0] ?? null
  })
  if (!contact) return null
  const versions = await readVersions(db.kysely, row)
  const messageId = newMessageId(ids)
  const filled = fill(deps, row, versions, { ...contact, contactId: contact.id, messageId })
  return filled.ok ? { contactId: contact.id, text: filled.value.text } : null
}
