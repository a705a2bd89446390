import { sql, type RawBuilder } from 'kysely'
import { readWithTimeout } from '../contacts/read-with-timeout.ts'
import type { Context } from '../../infra/context.ts'
import { SEGMENT_LIMITS } from '../../core/limits/contacts.ts'
import { addressOnChannel } from '../messaging/identifier-on-channel.ts'
import type { TemplateVersion } from '../messaging/read-templates-to-send.sql.ts'
import { listValuePlaceholders, contactPropertyOf } from '../../rules/broadcasts/fill-value.ts'
import { SKIP_REASONS, type SkipReason } from '../../core/vocabulary/broadcasts.ts'
import type { BroadcastRow } from './require-broadcast.ts'
import { fillOrSkip, type RecipientToFill, type LinkDeps } from './write-to-recipients.ts'

/** The id of the message that an example of a group would get. */
const EXAMPLE = 'o_example'

/** Contacts of an audience with equal values of everything that decides about sending. */
type Group = {
  isOptedOut: boolean
  hasStoppedMarketing: boolean
  hasAddress: boolean
  language: string | null
  /** One value for each of `placeholders`, in their order: the contact has a value for it. */
  filled: boolean[]
  count: number
  firstId: string
}

/** The number of recipients of an audience, and of skipped contacts by reason. */
export type AudienceCount = {
  receivers: number
  leftOut: { reason: SkipReason; count: number }[]
  /** The contact with the lowest id that would get a message; null without one. */
  firstId: string | null
}

/**
 * Counts the recipients of an audience, and the skipped contacts by reason. Returns null if there are too many to
 * count in time.
 * @throws rate_limited. Spec: Broadcasts › Drafts.
 */
export async function countAudience(
  deps: Pick<Context, 'db'> & LinkDeps,
  row: BroadcastRow,
  versions: readonly TemplateVersion[],
  conditions: readonly RawBuilder<unknown>[],
): Promise<AudienceCount | null> {
  const { body, header, urlSuffixes } = row.template
  const texts = [...body, ...urlSuffixes].map(({ text }) => text)
  const placeholders = [...new Set([...texts, header ?? ''].flatMap(listValuePlaceholders))]
  const groups = await readGroups(deps.db, row, placeholders, conditions)
  if (groups === null) return null
  const leftOut = new Map<SkipReason, number>()
  const written: Group[] = []
  for (const group of groups) {
    const decided = fillOrSkip(deps, row, versions, exampleOf(group, placeholders))
    if (decided.ok) written.push(group)
    else leftOut.set(decided.reason, (leftOut.get(decided.reason) ?? 0) + group.count)
  }
  return {
    receivers: written.reduce((sum, { count }) => sum + count, 0),
    leftOut: SKIP_REASONS.flatMap((reason) => {
      const count = leftOut.get(reason)
      return count === undefined ? [] : [{ reason, count }]
    }),
    firstId: written.map(({ firstId }) => firstId).toSorted()[0] ?? null,
  }
}

function readGroups(
  db: Context['db'],
  { companyId, channelId }: BroadcastRow,
  placeholders: readonly string[],
  conditions: readonly RawBuilder<unknown>[],
): Promise<Group[] | null> {
  const fits = [sql`contact.company_id = ${companyId}`, ...conditions]
  const filled = placeholders.map((name) => sql`coalesce(${columnOf(name)}, '') ~ '\\S'`)
  return readWithTimeout(db, { companyId, withinMs: SEGMENT_LIMITS.countMs }, async (tx) => {
    const { rows } = await sql<Group>`
      select opted_out_at is not null as is_opted_out,
        exists (select from marketing_stop
          where marketing_stop.contact_id = contact.id and marketing_stop.channel_id = ${channelId})
          as has_stopped_marketing,
        exists (${addressOnChannel(sql`${channelId}::uuid`)}) as has_address, language,
        array[${sql.join(filled)}]::boolean[] as filled, count(*)::int as count,
        min(contact.id::text) as first_id
      from contact where ${sql.join(fits, sql` and `)}
      group by 1, 2, 3, 4, 5`.execute(tx)
    return rows
  })
}

/** Returns the SQL expression for a placeholder's value. The opt-out link always has one. */
function columnOf(placeholder: string): RawBuilder<unknown> {
  const property = contactPropertyOf(placeholder)
  if (property === null) return sql`'x'`
  return 'field' in property
    ? sql`contact.fields ->> ${property.field}`
    : sql.ref(`contact.${property.plain}`)
}

/** Returns a recipient like all those of a group. */
function exampleOf({ filled, ...group }: Group, placeholders: readonly string[]): RecipientToFill {
  const example = { name: null, phone: null, email: null } as Pick<
    RecipientToFill,
    'name' | 'phone' | 'email'
  >
  const fields: Record<string, string> = {}
  for (const [place, name] of placeholders.entries()) {
    const property = contactPropertyOf(name)
    if (property === null || filled[place] !== true) continue
    if ('field' in property) fields[property.field] = 'x'
    else example[property.plain] = 'x'
  }
  return { ...group, ...example, fields, contactId: group.firstId, messageId: EXAMPLE }
}
