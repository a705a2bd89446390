import type { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'
import type { World } from '../support/world.ts'
import type { SetUp } from './hook-setup.ts'

type Around = {
  world: World
  address: string
  addressLimit: ReturnType<typeof createAddressLimit>
}

/** All that a request can have an effect on. */
export type Look = {
  runs: number
  contacts: number
  contactsChanged: string
  conversations: number
  counters: { address: number; url: number; account: number }
  shape: string
  keys: string[]
  events: { id: string; type: string }[]
  priorRun: string | null
}

/** Looks at all of the case's companies together: a request touches but one. */
export async function lookAt(around: Around, { shop, tokens, priorRun }: SetUp): Promise<Look> {
  const { world, address, addressLimit } = around
  const { pool } = world.database.db
  const counters = (await isThere(pool, 'hook_url_count')) ? 'hook_url_count' : 'away'
  const companies = Object.keys(tokens).includes('flow of account 2')
    ? `(select id from company where created_at = (select created_at from company where id = $1))`
    : `(select $1::uuid as id)`
  const { rows } = await pool.query<Record<string, unknown>>(
    `with ours as ${companies}
      select
        (select count(*)::int from flow_run where company_id in (table ours)) as runs,
        (select count(*)::int from contact where company_id in (table ours)) as contacts,
        (select coalesce(string_agg(contact::text, '' order by id), '') from contact
          where company_id in (table ours)) as contacts_changed,
        (select count(*)::int from conversation where company_id in (table ours)) as conversations,
        (select coalesce(sum(requests), 0)::int from ${counters}
          where company_id in (table ours)) as url,
        (select coalesce(sum(requests), 0)::int from company_hook_count
          where company_id in (table ours)) as account,
        (select max(window_start)::text from ${counters} where company_id in (table ours)) as minute,
        (select max(window_start)::text from company_hook_count
          where company_id in (table ours)) as hour,
        (select coalesce(string_agg(xmin::text, '' order by hook_url_id), '') from hook_shape
          where company_id in (table ours)) as shape,
        (select coalesce(array_agg(idempotency_key), '{}') from flow_run
          where company_id in (table ours) and idempotency_key is not null) as keys,
        (select coalesce(json_agg(json_build_object('id', id, 'type', type)), '[]') from event
          where company_id in (table ours)) as events`,
    [shop.companyId],
  )
  const row = rows[0]!
  const now = world.clock.now()
  // A counter of an earlier window counts for nothing now.
  const inWindow = (start: unknown, ms: number) =>
    start !== null &&
    Math.floor(Date.parse(start as string) / ms) === Math.floor(now.getTime() / ms)
  return {
    runs: row.runs as number,
    contacts: row.contacts as number,
    contactsChanged: row.contacts_changed as string,
    conversations: row.conversations as number,
    counters: {
      address: addressLimit.count(address, now),
      url: inWindow(row.minute, 60_000) ? (row.url as number) : 0,
      account: inWindow(row.hour, 3_600_000) ? (row.account as number) : 0,
    },
    shape: row.shape as string,
    keys: row.keys as string[],
    events: row.events as Look['events'],
    priorRun,
  }
}

export type Effects = {
  priorRun: string | null
  /** What is not as wanted, in words; null when it is, or when it is not checked. */
  faultOf(name: string, wanted: unknown): string | null
}

export function effectsBetween(before: Look, after: Look, request: { headers?: object }): Effects {
  const raised = after.events
    .filter(({ id }) => !before.events.some((event) => event.id === id))
    .map(({ type }) => type)
  const hasKey = Object.entries(request.headers ?? {}).some(
    ([name, value]) => name.toLowerCase() === 'idempotency-key' && String(value).trim() !== '',
  )
  const remembered = after.keys.length > before.keys.length
  const made = (count: 'contacts' | 'conversations') => after[count] - before[count]
  const moved: Record<string, number> = {
    address: after.counters.address - before.counters.address,
    url: after.counters.url - before.counters.url,
    account: after.counters.account - before.counters.account,
  }
  const actual: Record<string, unknown> = {
    runs: after.runs - before.runs,
    contact:
      made('contacts') > 0
        ? 'created'
        : after.contactsChanged === before.contactsChanged
          ? 'untouched'
          : 'changed',
    conversation: made('conversations') > 0 ? 'created' : 'untouched',
    shape: after.shape === before.shape ? 'kept' : 'replaced',
    key: remembered ? 'remembered' : hasKey ? 'unused' : 'none',
  }

  return {
    priorRun: before.priorRun,
    faultOf(name, wanted) {
      switch (name) {
        case 'events': {
          const [must, may] = [[], []] as [string[], string[]]
          for (const type of wanted as string[]) {
            if (type.endsWith('?')) may.push(type.slice(0, -1))
            else must.push(type)
          }
          const missing = must.filter((type) => !raised.includes(type))
          const extra = raised.filter((type) => !must.includes(type) && !may.includes(type))
          return missing.length + extra.length === 0 ? null : say('events', wanted, raised)
        }
        case 'notEvents':
          return raised.some((type) => (wanted as string[]).includes(type))
            ? say('no events', wanted, raised)
            : null
        case 'counters': {
          const wrong = Object.entries(wanted as Record<string, number | string>).filter(
            ([counter, by]) => !String(by).split(' or ').includes(String(moved[counter])),
          )
          return wrong.length === 0 ? null : say('counters', wanted, moved)
        }
        case 'contact':
        case 'conversation':
          // An existing one is used, and not changed.
          return isSame(wanted === 'reused' ? 'untouched' : wanted, actual[name])
            ? null
            : say(name, wanted, actual[name])
        case 'key':
          // A key that started nothing now is either unused or was another run's before.
          if (wanted === 'none') return remembered ? say('key', wanted, actual.key) : null
          if (String(wanted).startsWith('remembered (first')) return null
          return isSame(wanted, actual.key) ? null : say('key', wanted, actual.key)
        default:
          return isSame(wanted, actual[name]) ? null : say(name, wanted, actual[name])
      }
    },
  }
}

const isSame = (wanted: unknown, actual: unknown) => wanted === actual

const say = (name: string, wanted: unknown, actual: unknown) =>
  `${name} ${JSON.stringify(wanted)}, got ${JSON.stringify(actual)}`

async function isThere(pool: World['database']['db']['pool'], table: string): Promise<boolean> {
  const { rows } = await pool.query<{ at: string | null }>('select to_regclass($1) as at', [table])
  return rows[0]!.at !== null
}
