import { countInTime } from '../contacts/segments.ts'
import type { Context } from '../../infra/context.ts'
import type { BroadcastCheck } from '../../contract/dashboard/broadcast.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import { newMessageId } from '../messaging/queue-message.ts'
import type { TemplateVersion } from '../messaging/read-templates-to-send.sql.ts'
import { audienceConditions, freezeAudience } from './audience.sql.ts'
import { countAudience } from './count-audience.sql.ts'
import { findProblems, readVersions } from './find-problems.ts'
import { requireBroadcast, type BroadcastRow, type OwnedBroadcast } from './require-broadcast.ts'
import { fillBroadcastTemplate, type LinkDeps } from './write-to-recipients.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'> & LinkDeps & { formatFact: FormatFact }

/**
 * Returns the problems that prevent a start, the number of recipients now, the skipped ones by reason, the expected
 * duration, and a sample of the text. Changes nothing.
 * @throws not_found.
 * Spec: Broadcasts › Drafts.
 */
export async function checkBroadcast(deps: Deps, owned: OwnedBroadcast): Promise<BroadcastCheck> {
  const { db, clock, formatFact } = deps
  const row = await requireBroadcast(db.kysely, owned)
  const problems = await findProblems(db.kysely, row)
  const formatted = problems.map(({ field, ...why }) => ({ field, ...formatFact(why) }))
  const { perSecond, companyId } = row
  const nothing = { contacts: null, receivers: null, leftOut: [], lengthMs: null, sample: null }
  if (problems.some(({ field }) => field === 'audience')) {
    return { problems: formatted, perSecond, ...nothing }
  }
  const audience = row.filter ?? (await freezeAudience(db.kysely, companyId, row.audience))
  const conditions = audienceConditions(companyId, audience, row.startedAt ?? clock.now())
  const contacts = await countInTime(db, companyId, conditions)
  if (contacts === null) return { problems: formatted, perSecond, ...nothing }
  const lengthOf = (messages: number) => Math.ceil((messages / perSecond) * SECOND_MS)
  const ofAll = { ...nothing, contacts, lengthMs: lengthOf(contacts) }
  // Without a template that can be sent, there are no recipients.
  if (problems.length > 0) return { problems: formatted, perSecond, ...ofAll }
  const versions = await readVersions(db.kysely, row)
  const counted = await countAudience(deps, row, versions, conditions)
  if (counted === null) return { problems: formatted, perSecond, ...ofAll }
  const { receivers, leftOut, firstId } = counted
  const sample = firstId === null ? null : await readSample(deps, row, versions, firstId)
  return {
    problems: formatted,
    perSecond,
    contacts,
    receivers,
    leftOut,
    lengthMs: lengthOf(receivers),
    sample,
  }
}

/** Returns the text for the first recipient. */
async function readSample(
  deps: Deps,
  row: BroadcastRow,
  versions: readonly TemplateVersion[],
  contactId: string,
): Promise<BroadcastCheck['sample']> {
  const contact = await deps.db.kysely
    .selectFrom('contact')
    .selectAll()
    .where('companyId', '=', row.companyId)
    .where('id', '=', contactId)
    .executeTakeFirst()
  if (!contact) return null
  const messageId = newMessageId(deps.ids)
  const filled = fillBroadcastTemplate(deps, row, versions, { ...contact, contactId, messageId })
  return filled.ok ? { contactId, text: filled.value.text } : null
}
