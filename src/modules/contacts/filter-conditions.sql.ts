import { sql, type RawBuilder } from 'kysely'
import type { SegmentFilter } from '../../contract/dashboard/segment.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { spellingsOf } from './tag-spellings.sql.ts'

/** Returns the SQL conditions on the table `contact` to which a filter corresponds. Spec: Contacts › Segments. */
export function filterConditions(
  companyId: string,
  filter: SegmentFilter,
  now: Date,
): RawBuilder<unknown>[] {
  const { tags = [], withoutTags = [], fields, language, source, optedOut, channelId } = filter
  const { wroteWithinDays, silentForDays } = filter
  const has = (tag: string) => sql`contact.tags && ${spellingsOf(companyId, tag)}`
  const conversation = (more: RawBuilder<unknown>) => sql`exists (select from conversation here
    where here.contact_id = contact.id and (${channelId ?? null}::uuid is null
      or here.channel_id = ${channelId ?? null}) and ${more})`
  const wroteWithin = (days: number) =>
    conversation(sql`here.last_customer_at > ${new Date(now.getTime() - days * DAY_MS)}`)
  return [
    ...tags.map(has),
    ...withoutTags.map((tag) => sql`not (${has(tag)})`),
    ...(fields ? [sql`contact.fields @> ${JSON.stringify(fields)}::jsonb`] : []),
    ...(language === undefined ? [] : [sql`contact.language = ${language}`]),
    ...(source === undefined ? [] : [sql`contact.source = ${source}`]),
    ...(optedOut === undefined ? [] : [sql`(contact.opted_out_at is not null) = ${optedOut}`]),
    ...(channelId === undefined ? [] : [conversation(sql`true`)]),
    ...(wroteWithinDays === undefined ? [] : [wroteWithin(wroteWithinDays)]),
    ...(silentForDays === undefined ? [] : [sql`not ${wroteWithin(silentForDays)}`]),
  ]
}
