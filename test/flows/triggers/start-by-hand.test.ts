/** A member starts a run for a customer. Flows › Starting by hand; readings F27, F28. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StartedRun } from '../../../src/contract/dashboard/run.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/limits/units.ts'
import { customerLockKey } from '../../../src/messaging/lock-customer.ts'
import { waitUntilBlocked } from '../../support/blocked.ts'
import { signedIn, type Member } from '../../support/dashboard.ts'
import { createWorld, type World } from '../../support/service.ts'
import { ORDER_READY_STEPS } from '../../support/shop.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../../support/simulator.ts'
import { echoed, postWebhook, webhookOf } from '../../support/whatsapp-webhook.ts'
import { ASKING, tellStory } from './trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const MANUAL = { kind: 'manual' }
const BY_TEMPLATE = {
  trigger: MANUAL,
  start: 'tell',
  steps: {
    ...ORDER_READY_STEPS,
    tell: {
      ...ORDER_READY_STEPS.tell,
      body: [
        { name: '1', text: '{{vars.who}}' },
        { name: '2', text: '7' },
      ],
    },
  },
}

async function manualStory(
  draw: { steps?: Record<string, unknown>; start?: string } = BY_TEMPLATE,
) {
  const story = await tellStory(world, whatsApp)
  const flowId = await story.publish({ ...draw, trigger: MANUAL })
  const path = `/companies/${story.shop.companyId}/flows/${flowId}/runs`
  const { kysely } = world.database.db
  // A session does not last as long as some of the stories.
  const signIn = () => signedIn(world, { accountId: story.shop.accountId })
  return {
    ...story,
    flowId,
    path,
    start: async (json: object, by?: Member) =>
      (by ?? (await signIn())).ask<StartedRun>('POST', path, json),
    refusal: async (json: object) => {
      const { status, body } = await (await signIn()).ask('POST', path, json)
      return { status, code: body.code, detail: body.detail, errors: body.errors }
    },
    contact: () =>
      kysely
        .selectFrom('contact')
        .selectAll()
        .where('companyId', '=', story.shop.companyId)
        .executeTakeFirst(),
  }
}

describe('A member starts a run', () => {
  test('for a number that nobody has met, with variables: it sends, and tells of itself as `manual`', async () => {
    const { start, phone, shop, runs, flowId, contact, path } = await manualStory()
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    const answer = await start({ phone, variables: { who: 'Sara' } }, agent)
    expect(answer).toMatchObject({ status: 201, body: { isNew: true } })
    await whatsApp.settle()
    expect(await runs()).toMatchObject([
      { id: answer.body.id, flowId, kind: 'manual', status: 'waiting' },
    ])
    expect(whatsApp.simulator.messages().at(-1)).toMatchObject({ to: phone.slice(1) })
    expect(await contact()).toMatchObject({ phone, tags: [] })
    // Its conversation is told of when the customer writes.
    expect(shop.events('contact.created')).toHaveLength(1)
    expect(shop.events('conversation.started')).toEqual([])
    whatsApp.simulator.tapButton({ from: phone, buttonIndex: 0 })
    await whatsApp.settle()
    expect(shop.events('conversation.started')).toHaveLength(1)
    expect(shop.events('flow.completed')).toMatchObject([
      { data: { run: { id: answer.body.id, triggerKind: 'manual', variables: { who: 'Sara' } } } },
    ])
    const audited = await world.database.db.kysely
      .selectFrom('audit')
      .select(['action', 'actorId', 'subjectId'])
      .where('action', '=', 'run.started')
      .where('companyId', '=', shop.companyId)
      .execute()
    expect(audited).toEqual([
      { action: 'run.started', actorId: agent.personId, subjectId: answer.body.id },
    ])
    expect(path).toContain(flowId)
  })

  systemTest('for a contact, in the conversation that they have', async () => {
    const { start, write, contact, runs, shop } = await manualStory({ steps: ASKING })
    await write({ text: 'hello' })
    const { id, phone } = (await contact())!
    expect(await start({ contactId: id })).toMatchObject({ status: 201 })
    await whatsApp.settle()
    expect(await runs()).toMatchObject([{ status: 'waiting' }])
    expect(shop.events('contact.created')).toHaveLength(1)
    expect(shop.events('conversation.started')).toHaveLength(1)
    expect((await contact())!.phone).toBe(phone)
  })

  systemTest(
    'for a contact who is given another number at that moment: it is sent there',
    async () => {
      const { start, write, contact, shop, phone } = await manualStory()
      await write({ text: 'hello' })
      const { id } = (await contact())!
      const other = newPhone()
      const { pool } = world.database.db
      const change = await pool.connect()
      const lock = customerLockKey(shop.companyId, { kind: 'number', value: phone.slice(1) })
      await change.query('begin')
      await change.query('select pg_advisory_xact_lock($1)', [String(lock)])
      const started = start({ contactId: id, variables: { who: 'Sara' } })
      await waitUntilBlocked('the start to wait for the number', pool, change)
      // As where they became part of one whose conversation is with that number.
      await change.query('update contact set phone = $1 where id = $2', [other, id])
      await change.query('update contact_alias set value = $1 where contact_id = $2', [
        other.slice(1),
        id,
      ])
      await change.query('update conversation set filed_under = $1 where contact_id = $2', [
        other.slice(1),
        id,
      ])
      await change.query('commit')
      change.release()
      expect(await started).toMatchObject({ status: 201 })
      await whatsApp.settle()
      expect(whatsApp.simulator.messages().at(-1)).toMatchObject({ to: other.slice(1) })
      expect(shop.events('contact.created')).toHaveLength(1)
    },
  )

  systemTest('once for a key, however often and at the same moment it asks', async () => {
    const { start, phone, runs } = await manualStory()
    const asked = { phone, variables: { who: 'Sara' }, key: 'once' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => start(asked)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await runs()).toHaveLength(1)
    expect(await start({ ...asked, key: 'twice' })).toMatchObject({ status: 201 })
    expect(await start({ phone })).toMatchObject({ status: 201 })
    expect(await runs()).toHaveLength(3)
  })

  systemTest('which speaks the language of the contact', async () => {
    const { start, write, contact, shop } = await manualStory()
    await write({ text: 'hello' })
    const { id } = (await contact())!
    const { kysely } = world.database.db
    await kysely.updateTable('contact').set({ language: 'en' }).where('id', '=', id).execute()
    const { body } = await start({ contactId: id, variables: { who: 'Sara' } })
    await whatsApp.settle()
    const of = kysely.selectFrom('flowRun').innerJoin('message', 'message.runId', 'flowRun.id')
    const sent = of.select(['language', 'templateLanguage']).where('flowRun.id', '=', body.id)
    expect(await sent.execute()).toEqual([{ language: 'en', templateLanguage: 'en' }])
    expect(shop.events('flow.failed')).toEqual([])
  })

  systemTest(
    'while staff handles the conversation; a take-over after that cancels it',
    async () => {
      const { start, write, phone, runs, shop } = await manualStory({ steps: ASKING })
      await write({ text: 'hello' })
      const echo = () =>
        postWebhook(world, webhookOf(shop, [echoed({ to: phone.slice(1), at: world.clock.now() })]))
      await echo()
      world.clock.advance(1_000)
      await start({ phone })
      await whatsApp.settle()
      expect(await runs()).toMatchObject([{ status: 'waiting' }])
      // The owner goes on writing: nobody takes over anew.
      await echo()
      await whatsApp.settle()
      expect(await runs()).toMatchObject([{ status: 'waiting' }])
      world.clock.advance(DAY_MS)
      await write({ text: 'yes' })
      await whatsApp.settle()
      await start({ phone })
      await whatsApp.settle()
      world.clock.advance(1_000)
      await echo()
      await whatsApp.settle()
      expect((await runs()).map(({ status }) => status)).toEqual(['completed', 'cancelled'])
    },
  )
})

describe('A member’s start is refused', () => {
  test('to who wrote long ago, or never, when a message can come before a template: the step is named', async () => {
    const { start, refusal, write, phone, runs } = await manualStory({ steps: ASKING })
    const refused = await refusal({ phone })
    expect(refused).toMatchObject({ status: 409, code: 'outside_service_window' })
    expect(refused.detail).toContain('"hello"')
    await write({ text: 'hello' })
    world.clock.advance(DAY_MS - MINUTE_MS)
    expect(await start({ phone })).toMatchObject({ status: 201 })
    world.clock.advance(MINUTE_MS)
    expect(await refusal({ phone })).toMatchObject({ code: 'outside_service_window' })
    expect(await runs()).toHaveLength(1)
  })

  systemTest(
    'to nobody for the window of a channel without templates, where the flow sends nothing',
    async () => {
      const tag = { kind: 'tag', add: ['vip'], remove: [], next: null }
      const { start, phone, shop, runs, contact } = await manualStory({ steps: { hello: tag } })
      const channel = world.database.db.kysely
        .updateTable('channel')
        .where('id', '=', shop.channelId)
      await channel.set({ type: 'whatsapp_qr' }).execute()
      expect(await start({ phone })).toMatchObject({ status: 201 })
      await world.service.processAll()
      expect(await runs()).toMatchObject([{ status: 'completed' }])
      expect((await contact())?.tags).toEqual(['vip'])
    },
  )

  test('to who is opted out', async () => {
    const { refusal, write, phone, contact } = await manualStory()
    await write({ text: 'STOP' })
    const refused = { status: 409, code: 'opted_out' }
    expect(await refusal({ phone })).toMatchObject(refused)
    expect(await refusal({ contactId: (await contact())!.id })).toMatchObject(refused)
  })

  systemTest('of a flow that is off, deleted, or started by something else', async () => {
    const { refusal, owner, path, phone, shop, publish } = await manualStory()
    const keyword = await publish({ trigger: { kind: 'keyword', words: ['x'] } })
    const other = await owner.ask('POST', path.replace(/flows\/.*\//, `flows/${keyword}/`), {
      phone,
    })
    expect(other).toMatchObject({ status: 409, body: { code: 'flow_not_listening' } })
    await owner.ask('PATCH', path.replace('/runs', ''), { isOn: false })
    expect(await refusal({ phone })).toMatchObject({ status: 409, code: 'flow_off' })
    await owner.ask('DELETE', path.replace('/runs', ''))
    expect(await refusal({ phone })).toMatchObject({ status: 404, code: 'not_found' })
    expect(shop.events()).toEqual([])
  })

  systemTest('of a flow beyond the number of the plan', async () => {
    const story = await tellStory(world, whatsApp)
    for (const word of ['a', 'b', 'c', 'd']) {
      await story.publish({ trigger: { kind: 'keyword', words: [word] } })
    }
    const last = await story.publish({ trigger: MANUAL })
    const { companyId, accountId } = story.shop
    const account = world.database.db.kysely.updateTable('account').set({ plan: 'pro' })
    await account.where('id', '=', accountId).execute()
    const path = `/companies/${companyId}/flows/${last}/runs`
    const { status, body } = await story.owner.ask('POST', path, { phone: story.phone })
    expect([status, body]).toMatchObject([409, { code: 'flow_off', params: { most: 5 } }])
  })

  test('without automations in the plan; with a channel that is not connected', async () => {
    const { refusal, phone, shop } = await manualStory()
    const { kysely } = world.database.db
    const channel = kysely.updateTable('channel').where('id', '=', shop.channelId)
    await channel.set({ isConnected: false }).execute()
    expect(await refusal({ phone })).toMatchObject({ status: 409, code: 'channel_unavailable' })
    await kysely
      .updateTable('account')
      .set({ plan: 'starter' })
      .where('id', '=', shop.accountId)
      .execute()
    expect(await refusal({ phone })).toMatchObject({ status: 403, code: 'not_in_plan' })
  })

  test('for nobody, for two at once, for an unreadable phone, an unknown contact, another company’s', async () => {
    const { refusal, owner, path, phone, runs, contact } = await manualStory()
    const unknown = '01a1fd55-7a80-7278-823e-2ce24018e90d'
    const field = async (json: object) => {
      const { status, errors } = await refusal(json)
      return [status, errors?.[0]?.field]
    }
    expect(await field({})).toEqual([422, 'contactId'])
    expect(await field({ phone, contactId: unknown })).toEqual([422, 'contactId'])
    expect(await field({ phone: '12' })).toEqual([422, 'phone'])
    expect(await field({ contactId: unknown })).toEqual([422, 'contactId'])
    expect(await field({ phone, key: 'k'.repeat(201) })).toEqual([422, 'key'])
    const other = await manualStory()
    await other.start({ phone: newPhone() })
    expect(await field({ contactId: (await other.contact())!.id })).toEqual([422, 'contactId'])
    expect((await other.owner.ask('POST', path, { phone })).status).toBe(404)
    expect(await runs()).toEqual([])
    expect(await contact()).toBeUndefined()
    expect(owner.personId).not.toBe(other.owner.personId)
  })
})
