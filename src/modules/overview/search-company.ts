import { sql } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { FoundView, SearchQuery, SearchView } from '../../contract/dashboard/search.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { beginOfLog } from '../deliveries/within-log.ts'
import { eventIdText } from '../events/event-id.ts'
import { SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import { contactSearchCondition } from '../messaging/find-contacts.sql.ts'
import { searchWithTimeout } from '../messaging/search-with-timeout.ts'
import { foldText } from '../../rules/text/fold-text.ts'
import { ServiceError } from '../../core/service-error.ts'
import { readUuid } from '../../rules/text/uuid.ts'

type Row = Omit<FoundView, 'kind' | 'at'> & { at: Date | null }
type SearchRequest = { companyId: string; text: string }

const EVENT = /^(?:evt_)?([0-9a-f]{32})$/i
const REFERENCE = /^[a-z0-9]{4,16}$/i

/**
 * Searches a company by a few words. Finds contacts by phone, e-mail address or name, with their conversations; flows
 * by name; and events, deliveries, runs, appointments and conversations by id or reference. Kinds that the role may not
 * open are left out. The search for contacts is given up after half a second; `isTooWide` is true then.
 */
export async function searchCompany(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { role }: Pick<Actor, 'role'>,
  query: SearchQuery & { companyId: string },
): Promise<SearchView> {
  const isStaffOnly = role === 'agent'
  const items: FoundView[] = []
  const add = (kind: FoundView['kind'], rows: readonly Row[]) =>
    items.push(...rows.map((row) => ({ kind, ...row, at: row.at?.toISOString() ?? null })))
  if (!isStaffOnly) {
    const since = oldestIdAt(beginOfLog(clock.now()))
    add('event', await findEvents({ db }, query, since))
    add('delivery', await findDeliveries({ db }, query, since))
    add('run', await findRuns({ db }, query))
  }
  add('appointment', await findAppointments({ db }, query))
  const contacts = await findContacts({ db }, query)
  add('contact', contacts ?? [])
  add('conversation', await findConversations({ db }, query, contacts ?? []))
  if (!isStaffOnly) add('flow', await findFlows({ db }, query))
  return { items: items.slice(0, SEARCH_LIMITS.found), isTooWide: contacts === null }
}

type Db = Pick<Context, 'db'>

/** Finds an event by its id. An older one is found while a resend of it is in the log. */
async function findEvents(
  { db }: Db,
  { companyId, text }: SearchRequest,
  since: string,
): Promise<Row[]> {
  const id = readShownId(text)
  if (id === null) return []
  const { rows } = await sql<Row>`
    select id, type as title, null as subtitle, occurred_at as at from event
    where id = ${id} and company_id = ${companyId}
      and (id >= ${since} or exists (select from deliveries_of(${id}) of_event where of_event.id >= ${since}))
  `.execute(db.kysely)
  return rows.map((row) => ({ ...row, id: eventIdText(row.id) }))
}

/** Finds deliveries by their id, or all deliveries of an event. */
async function findDeliveries(
  { db }: Db,
  { companyId, text }: SearchRequest,
  since: string,
): Promise<Row[]> {
  const id = readShownId(text)
  if (id === null) return []
  const { rows } = await sql<Row>`
    select delivery.id, endpoint.name as title, delivery.state as subtitle, delivery.created_at as at
    from webhook_delivery delivery join endpoint on endpoint.id = delivery.endpoint_id
    where delivery.id = any(array(
        select id from webhook_delivery where id = ${id}
        union (select id from deliveries_of(${id})
          order by id desc limit ${SEARCH_LIMITS.foundOfKind})))
      and delivery.company_id = ${companyId} and delivery.id >= ${since}
    order by delivery.id desc limit ${SEARCH_LIMITS.foundOfKind}`.execute(db.kysely)
  return rows
}

async function findRuns({ db }: Db, { companyId, text }: SearchRequest): Promise<Row[]> {
  const id = readUuid(text)
  if (id === null) return []
  const { rows } = await sql<Row>`
    select flow_run.id, flow.name as title, status as subtitle, flow_run.created_at as at
    from flow_run join flow on flow.id = flow_id
    where flow_run.id = ${id} and flow_run.company_id = ${companyId}`.execute(db.kysely)
  return rows
}

async function findAppointments({ db }: Db, { companyId, text }: SearchRequest): Promise<Row[]> {
  if (!REFERENCE.test(text)) return []
  const { rows } = await sql<Row>`
    select id, reference as title, service_name as subtitle, starts_at as at from appointment
    where company_id = ${companyId} and reference = ${text.toUpperCase()}`.execute(db.kysely)
  return rows
}

/** Finds contacts by phone, e-mail address, id or name. Returns null if too many match to find them in time. */
async function findContacts({ db }: Db, { companyId, text }: SearchRequest): Promise<Row[] | null> {
  try {
    return await searchWithTimeout(db, async (tx) => {
      const found = await contactSearchCondition(tx, sql`contact.id`, { companyId, text })
      if (!found) return []
      const { rows } = await sql<Row>`
        select id, name as title, coalesce(phone, raw_phone, email) as subtitle, created_at as at
        from contact where company_id = ${companyId} and ${found}
        order by id desc limit ${SEARCH_LIMITS.foundOfKind}`.execute(tx)
      return rows
    })
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid') return null
    throw error
  }
}

/** Finds conversations by id, and the latest ones of the found contacts. */
async function findConversations(
  { db }: Db,
  { companyId, text }: SearchRequest,
  contacts: readonly Row[],
): Promise<Row[]> {
  const ids = contacts.map(({ id }) => id)
  const { rows } = await sql<Row>`
    select conversation.id, coalesce(contact.name, visitor_name) as title, last_text as subtitle,
      coalesce(last_message_at, conversation.created_at) as at
    from conversation left join contact on contact.id = contact_id
    where conversation.id = any(array(
        select id from conversation where id = ${text}
        union select id from conversation where contact_id = any(${ids}::uuid[])))
      and conversation.company_id = ${companyId}
    order by at desc, conversation.id limit ${SEARCH_LIMITS.foundOfKind}`.execute(db.kysely)
  return rows
}

async function findFlows({ db }: Db, { companyId, text }: SearchRequest): Promise<Row[]> {
  const wanted = foldText(text)
  const { rows } = await sql<Row>`
    select id, name as title, null as subtitle, updated_at as at from flow
    where company_id = ${companyId} and deleted_at is null
    order by id desc`.execute(db.kysely)
  return rows
    .filter(({ id, title }) => foldText(title ?? '').includes(wanted) || id === text.toLowerCase())
    .slice(0, SEARCH_LIMITS.foundOfKind)
}

/** Returns the UUID behind an id that members see, such as `evt_` and 32 hex characters; null for any other text. */
function readShownId(text: string): string | null {
  const hex = EVENT.exec(text)?.[1]
  return readUuid(hex ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : text)
}
