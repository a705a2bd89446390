/** Hook requests whose outcome depends on what happened before them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PLAN_LIMITS } from '../../src/limits/accounts.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { askHook } from '../support/ask-hook.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { whatIsStored } from './what-is-stored.ts'

const PHONE = '+966501234567'
const ORDER = { customer: { phone: PHONE, name: 'سارة', language: 'ar' }, order: { number: 'A-1' } }
const KEY = { 'idempotency-key': 'k-1' }
const START = '2026-11-21T09:00:30.000Z'

let world: World
let shop: Shop
let serial = 0
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.clock.moveTo(START)
  shop = await newShop()
})

function newShop(options: Parameters<typeof createShop>[1] = {}): Promise<Shop> {
  serial += 1
  return createShop(world, {
    phoneNumberId: `n${serial}`,
    businessAccountId: `a${serial}`,
    ...options,
  })
}

const ask = (body: unknown = ORDER, headers: Record<string, string> = {}) =>
  askHook(shop.hookUrl, body, headers)
const change = (sql: string, ...values: unknown[]) => world.database.db.pool.query(sql, values)

async function contactOf({ companyId }: Shop) {
  const { rows } = await change(
    'select id, name, phone, tags, language from contact where company_id = $1',
    companyId,
  )
  expect(rows).toHaveLength(1)
  return rows[0] as { id: string; name: string | null; phone: string; tags: string[] }
}

/** The customer had these templates of flows, so long ago. */
async function templatesSent(...agesMs: number[]) {
  const { id } = await contactOf(shop)
  for (const ageMs of agesMs) {
    const messageId = `o_${world.service.context.ids.uuid()}`
    const at = new Date(world.clock.now().getTime() - ageMs)
    await change(
      `insert into message (id, company_id, conversation_id, channel_id, direction, sender, type,
          status, occurred_at, created_at)
        select $1, company_id, id, channel_id, 'out', 'flow', 'template', 'sent', $2, $2
        from conversation where contact_id = $3`,
      messageId,
      at,
      id,
    )
    await change(
      'insert into template_send values ($1, $2, $3, $4, gen_random_uuid(), $5)',
      messageId,
      shop.accountId,
      shop.companyId,
      id,
      at,
    )
  }
}

const templatesOfDay = (accountId: string, sent: number) =>
  change(
    `insert into template_day values ($1, ($2::timestamptz at time zone 'UTC')::date, $3)`,
    accountId,
    world.clock.now(),
    sent,
  )

describe('who is met', () => {
  test('an existing contact and conversation are used and not changed', async () => {
    await ask()
    await change(
      `update contact set name = 'Old name', language = 'en', tags = '{vip}' where company_id = $1`,
      shop.companyId,
    )
    const before = await contactOf(shop)
    expect(await ask({ ...ORDER, customer: { ...ORDER.customer, name: 'New' } })).toMatchObject({
      http: 202,
    })
    expect(await contactOf(shop)).toEqual(before)
    expect(await whatIsStored(world, shop)).toMatchObject({ runs: 2, conversations: 1 })
  })

  test('a customer without a name is met without one', async () => {
    expect(await ask({ customer: { phone: PHONE } })).toMatchObject({ http: 202 })
    expect(await contactOf(shop)).toMatchObject({ name: null, language: null, tags: ['webhook'] })
  })

  test("a national phone is read in the country of the flow's number", async () => {
    shop = await newShop({ country: 'AE' })
    expect(await ask({ customer: { phone: '0501234567' } })).toMatchObject({ http: 202 })
    expect(await contactOf(shop)).toMatchObject({ phone: '+971501234567' })
  })

  test('a refused phone creates no contact', async () => {
    expect(await ask({ customer: { phone: 'abc' } })).toMatchObject({ http: 422 })
    expect(await whatIsStored(world, shop)).toMatchObject({
      contacts: 0,
      conversations: 0,
      runs: 0,
    })
  })

  test('a resolved conversation is used, and no new one begins', async () => {
    await ask()
    await change(
      `update conversation set status = 'resolved' where company_id = $1`,
      shop.companyId,
    )
    expect(await ask()).toMatchObject({ http: 202 })
    expect(await whatIsStored(world, shop)).toMatchObject({ conversations: 1 })
  })

  test('a conversation that staff handle: accepted, the run is skipped, nothing is told or sent', async () => {
    await ask()
    await world.service.processAll()
    await change(
      `update conversation set handled_by = 'staff' where company_id = $1`,
      shop.companyId,
    )
    const told = world.receiver.received.length
    const skipped = await ask(ORDER, KEY)
    expect(skipped.http).toBe(202)
    await world.service.processAll()
    const { rows } = await change(
      'select status, end_reason from flow_run where id = $1',
      skipped.id,
    )
    expect(rows).toMatchObject([{ status: 'skipped' }])
    const later = world.receiver.received.slice(told)
    expect(later.filter(({ event }) => event.data && 'run' in event.data)).toEqual([])
    world.clock.advance(MINUTE_MS)
    expect(await ask(ORDER, KEY)).toMatchObject({ http: 200, id: skipped.id })
  })

  test('a contact that has opted out, whatever channel it was on', async () => {
    await ask()
    await change(
      'update contact set opted_out_at = $2 where company_id = $1',
      shop.companyId,
      world.clock.now(),
    )
    const other = { customer: { phone: '00966 50 123 4567' } }
    expect(await ask(other)).toMatchObject({ http: 409, status: 'opted_out' })
  })
})

describe('a key', () => {
  test.each(['completed', 'failed', 'skipped', 'cancelled'])(
    'of a run that is %s answers its id as long as the run exists',
    async (status) => {
      const first = await ask(ORDER, KEY)
      await change(
        `update flow_run set status = $2, end_reason = 'completed', ended_at = created_at,
          wake_at = null where id = $1`,
        first.id,
        status,
      )
      world.clock.advance(89 * DAY_MS)
      expect(await ask(ORDER, KEY)).toMatchObject({ http: 200, id: first.id })
      await change('delete from flow_run where id = $1', first.id)
      world.clock.advance(MINUTE_MS)
      const second = await ask(ORDER, KEY)
      expect(second.http).toBe(202)
      expect(second.id).not.toBe(first.id)
    },
  )

  test.each<[string, () => Promise<unknown>, () => Promise<unknown> | void]>([
    [
      'not_in_plan',
      () => change(`update account set plan = 'pro' where id = $1`, shop.accountId),
      () => change(`update account set plan = 'business' where id = $1`, shop.accountId),
    ],
    [
      'template_limit_reached',
      () => templatesOfDay(shop.accountId, 1_000),
      () => world.clock.moveTo('2026-11-22T00:00:00.000Z'),
    ],
    [
      'customer_limit_reached',
      async () => {
        await ask()
        await templatesSent(0, 0, 0)
      },
      () => world.clock.advance(DAY_MS),
    ],
    [
      'channel_unavailable',
      () => change('update channel set is_connected = false where id = $1', shop.channelId),
      () => change('update channel set is_connected = true where id = $1', shop.channelId),
    ],
    [
      'service_unavailable',
      () =>
        change(
          `insert into operator_switch values ('hooks_paused', true, now())
            on conflict (name) do update set is_on = true`,
        ),
      () => change('update operator_switch set is_on = false'),
    ],
  ])('is unused after %s', async (status, refuse, allow) => {
    await refuse()
    expect(await ask(ORDER, KEY)).toMatchObject({ status, id: null })
    await allow()
    const first = await ask(ORDER, KEY)
    expect(first).toMatchObject({ http: 202, status: 'accepted' })
    expect(await ask(ORDER, KEY)).toMatchObject({ http: 200, status: 'duplicate', id: first.id })
  })
})

describe('templates', () => {
  test.each([
    ['24 h and 1 s', DAY_MS + SECOND_MS, 202],
    ['24 h', DAY_MS, 202],
    ['23 h 59 min', DAY_MS - MINUTE_MS, 429],
  ])('the customer had 3, the oldest %s ago', async (_, oldest, http) => {
    await ask()
    await templatesSent(oldest, 5 * HOUR_MS, HOUR_MS)
    expect((await ask()).http).toBe(http)
  })

  test('those that staff sent by hand do not count', async () => {
    await ask()
    await templatesSent(2, 2, 2)
    await change('delete from template_send where company_id = $1', shop.companyId)
    await change(`update message set sender = 'staff' where company_id = $1`, shop.companyId)
    expect(await ask()).toMatchObject({ http: 202 })
  })

  test('the day is one count over an account and its projects', async () => {
    const project = await newShop()
    await change(
      'update company set account_id = $2 where id = $1',
      project.companyId,
      shop.accountId,
    )
    await templatesOfDay(shop.accountId, 999)
    expect(await askHook(project.hookUrl, ORDER)).toMatchObject({ http: 202 })
    await change('update template_day set sent = 1000 where account_id = $1', shop.accountId)
    for (const hookUrl of [shop.hookUrl, project.hookUrl]) {
      expect(await askHook(hookUrl, ORDER)).toMatchObject({ status: 'template_limit_reached' })
    }
  })
})

test("a project's hook starts the run in the project, and its events carry the project", async () => {
  const project = await newShop()
  await change(
    'update company set account_id = $2 where id = $1',
    project.companyId,
    shop.accountId,
  )
  await askHook(project.hookUrl, ORDER)
  expect(await whatIsStored(world, project)).toMatchObject({ runs: 1, contacts: 1 })
  expect(await whatIsStored(world, shop)).toMatchObject({ runs: 0, contacts: 0, ofCompany: 0 })
  await world.service.processAll()
  const started = world.receiver
    .events('conversation.started')
    .filter((event) => event.company.id === project.companyId)
  expect(started).toHaveLength(1)
})

test('a draft changes nothing before it is published', async () => {
  await change(
    `insert into flow_version (id, company_id, flow_id, number, definition, trigger_kind, channel_id,
        created_at)
      select gen_random_uuid(), company_id, flow_id, 2, replace(definition, 'customer.phone', 'x.y'),
        trigger_kind, channel_id, created_at from flow_version where id = $1`,
    shop.versionId,
  )
  expect(await ask()).toMatchObject({ http: 202 })
})

test('a number that was deleted is not available', async () => {
  await change(
    'update channel set is_connected = false, deleted_at = $2 where id = $1',
    shop.channelId,
    world.clock.now(),
  )
  expect(await ask()).toMatchObject({ http: 409, status: 'channel_unavailable', id: null })
})

test('a number that is linked by a QR code is not available for hooks', async () => {
  await change(`update channel set type = 'whatsapp_qr' where id = $1`, shop.channelId)
  expect(await ask()).toMatchObject({ http: 409, status: 'channel_unavailable', id: null })
})

test('the size is that of bytes: 40,000 Arabic letters, and 65,537 bytes of which most are spaces', async () => {
  expect(await ask({ ...ORDER, filler: 'م'.repeat(40_000) })).toMatchObject({ http: 413 })
  const short = JSON.stringify(ORDER)
  const room = 65_536 - Buffer.byteLength(short)
  expect(await ask(' '.repeat(room + 1) + short)).toMatchObject({ http: 413 })
  expect(await ask(' '.repeat(room) + short)).toMatchObject({ http: 202 })
})

describe("a flow beyond the plan's number is off; before it count", () => {
  const most = PLAN_LIMITS.business.flows
  type Before = { flows: number; isOn?: boolean; days?: number; isOther?: boolean }
  test.each<[string, Before, number]>([
    ['one less than the plan has', { flows: most - 1 }, 202],
    ['as many as the plan has', { flows: most }, 409],
    ['none that are off', { flows: most, isOn: false }, 202],
    ['none that were published later', { flows: most, days: 1 }, 202],
    ['none of another company', { flows: most, isOther: true }, 202],
  ])('%s', async (_, { flows, isOn = true, days = -1, isOther = false }, http) => {
    await change(
      `insert into flow (id, company_id, name, is_on, published_version_id, first_published_at,
          created_at, updated_at)
        select gen_random_uuid(), $2, 'another', $3, published_version_id,
          first_published_at + $4 * interval '1 day', created_at, updated_at
        from flow, generate_series(1, $5) where id = $1`,
      shop.flowId,
      isOther ? (await newShop()).companyId : shop.companyId,
      isOn,
      days,
      flows,
    )
    expect((await ask()).http).toBe(http)
  })
})

describe('what cannot be written', () => {
  test('starts nothing, and is accepted when it is sent again', async () => {
    await change('alter table hook_shape rename to gone')
    const refused = await ask(ORDER, KEY)
    await change('alter table gone rename to hook_shape')
    expect(refused).toMatchObject({ http: 503, status: 'service_unavailable', id: null })
    expect(await whatIsStored(world, shop)).toMatchObject({ runs: 0, contacts: 0 })
    expect(await ask(ORDER, KEY)).toMatchObject({ http: 202 })
  })

  test('or whose flow cannot be read is to be sent again, as if nothing had come', async () => {
    await change(
      `with later as (
          insert into flow_version (id, company_id, flow_id, number, definition, trigger_kind,
            channel_id, created_at)
          select gen_random_uuid(), company_id, flow_id, 2, '{"of": "a later release"}',
            trigger_kind, channel_id, created_at from flow_version where id = $1
          returning id, flow_id
        )
        update flow set published_version_id = later.id from later where flow.id = later.flow_id`,
      shop.versionId,
    )
    expect(await ask(ORDER, KEY)).toMatchObject({
      http: 503,
      status: 'service_unavailable',
      id: null,
    })
    expect(await whatIsStored(world, shop)).toMatchObject({ runs: 0, contacts: 0, shape: null })
    await change(
      'update flow set published_version_id = $2 where id = $1',
      shop.flowId,
      shop.versionId,
    )
    expect(await ask(ORDER, KEY)).toMatchObject({ http: 202 })
  })

  test.each(['40P01', '40001', '23505'])(
    'as it lost a race (%s) is written by another try, once',
    async (code) => {
      await change('create sequence race')
      await change(`create function lose() returns trigger language plpgsql as $$ begin
      if nextval('race') = 1 then raise exception 'lost' using errcode = '${code}'; end if;
      return new; end $$`)
      await change(
        'create trigger lose before insert on flow_run for each row execute function lose()',
      )
      const answer = await ask()
      await change('drop function lose cascade')
      await change('drop sequence race')
      expect(answer).toMatchObject({ http: 202 })
      expect(await whatIsStored(world, shop)).toMatchObject({ runs: 1, contacts: 1 })
    },
  )
})
