import { contactsOf } from '../support/records/contacts.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { eventsOf } from '../support/records/events.ts'
import { ofEach } from '../support/records/records.ts'
import { runsOf } from '../support/records/runs.ts'
import type { World } from '../support/world.ts'
import type { AroundHook, SetUp } from './hook-setup.ts'

/** All state that a request can change. */
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

/** Reads the state of all companies of the case, of which a request changes only one. */
export async function lookAt(around: AroundHook, { companyIds, priorRun }: SetUp): Promise<Look> {
  const { world, address, addressLimit } = around
  const { pool } = world.database.db
  const now = world.clock.now()
  const counters = (await isThere(pool, 'hook_url_count')) ? 'hook_url_count' : 'gone'
  // A counter of an earlier window does not count now.
  const { rows } = await pool.query<{ url: number; account: number; shape: string }>(
    `select
      (select coalesce(sum(requests), 0)::int from ${counters}
        where company_id = any($1) and window_start = date_trunc('minute', $2::timestamptz)) as url,
      (select coalesce(sum(requests), 0)::int from company_hook_count
        where company_id = any($1) and window_start = date_trunc('hour', $2::timestamptz)) as account,
      (select coalesce(string_agg(xmin::text, '' order by hook_url_id), '') from hook_shape
        where company_id = any($1)) as shape`,
    [companyIds, now],
  )
  const { url, account, shape } = rows[0]!
  const ofAll = <Found>(find: (of: { companyId: string }) => Promise<readonly Found[]>) =>
    ofEach(companyIds, (companyId) => find({ companyId }))
  const contacts = await ofAll((of) => contactsOf(world, of))
  const runs = await ofAll((of) => runsOf(world, of))
  return {
    runs: runs.length,
    contacts: contacts.length,
    contactsChanged: JSON.stringify(contacts),
    conversations: (await ofAll((of) => conversationsOf(world, of))).length,
    counters: { address: addressLimit.count(address, now), url, account },
    shape,
    keys: runs.flatMap(({ idempotencyKey }) => idempotencyKey ?? []),
    events: await ofAll((of) => eventsOf(world, of)),
    priorRun,
  }
}

export type Effects = {
  priorRun: string | null
  /** Returns the difference from the expected effect in words, or null when there is none or it is not checked. */
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
      const unless = (isMet: boolean, got: unknown = actual[name]) =>
        isMet ? null : `${name} ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`
      switch (name) {
        case 'events': {
          const types = wanted as string[]
          const isRaised = types.every((type) => type.endsWith('?') || raised.includes(type))
          const isWanted = raised.every(
            (type) => types.includes(type) || types.includes(`${type}?`),
          )
          return unless(isRaised && isWanted, raised)
        }
        case 'notEvents':
          return unless(!raised.some((type) => (wanted as string[]).includes(type)), raised)
        case 'counters': {
          const counters = Object.entries(wanted as Record<string, number | string>)
          const isMoved = ([counter, by]: [string, number | string]) =>
            String(by).split(' or ').includes(String(moved[counter]))
          return unless(counters.every(isMoved), moved)
        }
        case 'contact':
        case 'conversation':
          // An existing object is used, and not changed.
          return unless((wanted === 'reused' ? 'untouched' : wanted) === actual[name])
        case 'key':
          // A key that started no run in this request is either unused, or was used by another run
          // before.
          if (String(wanted).startsWith('remembered (first')) return null
          return unless(wanted === 'none' ? !remembered : wanted === actual.key)
        default:
          return unless(wanted === actual[name])
      }
    },
  }
}

async function isThere(pool: World['database']['db']['pool'], table: string): Promise<boolean> {
  const { rows } = await pool.query<{ at: string | null }>('select to_regclass($1) as at', [table])
  return rows[0]!.at !== null
}
