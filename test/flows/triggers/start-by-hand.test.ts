/** A member starts a run for a customer. Flows › Starting by hand; readings F27, F28. */
import { describe, expect, test } from 'vitest'
import type { StartedRun } from '../../../src/contract/dashboard/run.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/core/limits/units.ts'
import { signedIn, type Member } from '../../support/dashboard.ts'
import { setPlan } from '../../support/records/accounts.ts'
import { changeNumber } from '../../support/records/identifiers.ts'
import { auditLog } from '../../support/records/audit.ts'
import { setChannelType, setConnected } from '../../support/records/channels.ts'
import { describeContact } from '../../support/records/contacts.ts'
import { holdLock } from '../../support/records/locks.ts'
import { fileUnder } from '../../support/records/moved-conversations.ts'
import { ORDER_READY_STEPS } from '../../support/shop.ts'
import { newPhone } from '../../support/simulator.ts'
import { ASKING, keyword, tellStory } from './trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const UNKNOWN = '01a1fd55-7a80-7278-823e-2ce24018e90d'
const MANUAL = { kind: 'manual' }
/** Steps whose first one sends a template. */
const { tell, ...OTHER_STEPS } = ORDER_READY_STEPS
const BY_TEMPLATE = {
  ...OTHER_STEPS,
  hello: {
    ...tell,
    body: [
      { name: '1', text: '{{vars.who}}' },
      { name: '2', text: '7' },
    ],
  },
}
const SARA = { variables: { who: 'Sara' } }

async function manualStory(steps: Record<string, unknown> = BY_TEMPLATE) {
  const story = await tellStory(world, whatsApp)
  const flowId = await story.publish({ trigger: MANUAL, steps })
  const flow = `/companies/${story.shop.companyId}/flows/${flowId}`
  // A session ends before some of the stories do.
  const signIn = () => signedIn(world, { accountId: story.shop.accountId })
  return {
    ...story,
    flowId,
    flow,
    start: async (json: object, by?: Member) =>
      (by ?? (await signIn())).ask<StartedRun>('POST', `${flow}/runs`, json),
    refusal: async (json: object) => {
      const { status, body } = await (await signIn()).ask('POST', `${flow}/runs`, json)
      return { status, code: body.code, detail: body.detail, errors: body.errors }
    },
    /** Lets the first contact write. Returns the contact. */
    met: async () => {
      await story.write({ text: 'hello' })
      return (await story.contact())!
    },
  }
}

describe('A member starts a run', () => {
  test('for an unknown number, with variables: it sends, and its events name `manual`', async () => {
    const { start, phone, shop, runs, flowId, contact, tap, sent } = await manualStory()
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    const answer = await start({ phone, ...SARA }, agent)
    expect(answer).toMatchObject({ status: 201, body: { isNew: true } })
    const { id } = answer.body
    await whatsApp.settle()
    expect(await runs()).toMatchObject([{ id, flowId, kind: 'manual', status: 'waiting' }])
    expect(sent()).toHaveLength(1)
    expect(await contact()).toMatchObject({ phone, tags: [] })
    // The event of its conversation is raised when the customer writes.
    expect(shop.events('contact.created')).toHaveLength(1)
    expect(shop.events('conversation.started')).toEqual([])
    await tap(0)
    expect(shop.events('conversation.started')).toHaveLength(1)
    expect(shop.events('flow.completed')).toMatchObject([
      { data: { run: { id, triggerKind: 'manual', ...SARA } } },
    ])
    const { companyId } = shop
    expect(await auditLog(world, { companyId, action: 'run.started' })).toMatchObject([
      { actorId: agent.personId, subjectId: id },
    ])
  })

  systemTest('for a contact, in the conversation that they have', async () => {
    const { start, met, contact, runs, shop } = await manualStory(ASKING)
    const { id, phone } = await met()
    expect(await start({ contactId: id })).toMatchObject({ status: 201 })
    await whatsApp.settle()
    expect(await runs()).toMatchObject([{ status: 'waiting' }])
    expect(shop.events('contact.created')).toHaveLength(1)
    expect(shop.events('conversation.started')).toHaveLength(1)
    expect((await contact())!.phone).toBe(phone)
  })

  systemTest('for a contact whose number changes: the new one is used', async () => {
    const { start, met, conversation, shop, phone } = await manualStory()
    const { id } = await met()
    const talk = await conversation()
    const other = newPhone()
    await using change = await holdLock(world, { companyId: shop.companyId, phone })
    const started = start({ contactId: id, ...SARA })
    await change.blocks('the start waits for the number')
    // A merge with a contact whose conversation uses that number has this effect.
    await changeNumber(change.inside, id, other)
    await fileUnder(change.inside, talk.id, other)
    await change.release()
    expect(await started).toMatchObject({ status: 201 })
    await whatsApp.settle()
    expect(whatsApp.sentTo(other)).toHaveLength(1)
    expect(shop.events('contact.created')).toHaveLength(1)
  })

  systemTest('once for a key, however often and at the same moment it is requested', async () => {
    const { start, phone, runs } = await manualStory()
    const asked = { phone, ...SARA, key: 'once' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => start(asked)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await runs()).toHaveLength(1)
    expect(await start({ ...asked, key: 'twice' })).toMatchObject({ status: 201 })
    expect(await start({ phone })).toMatchObject({ status: 201 })
    expect(await runs()).toHaveLength(3)
  })

  systemTest('in the language of the contact', async () => {
    const { start, met, lastRun, shop } = await manualStory()
    const { id } = await met()
    await describeContact(world, id, { language: 'en' })
    await start({ contactId: id, ...SARA })
    await whatsApp.settle()
    const { language, steps } = await lastRun()
    expect([language, steps[0]!.message?.templateLanguage]).toEqual(['en', 'en'])
    expect(shop.events('flow.failed')).toEqual([])
  })
})

describe('A member’s start is refused', () => {
  test('for a customer without a recent message, if a step can precede the template, which is named', async () => {
    const { start, refusal, met, phone, runs } = await manualStory(ASKING)
    expect(await refusal({ phone })).toMatchObject({
      status: 409,
      code: 'outside_service_window',
      detail: expect.stringContaining('"hello"'),
    })
    await met()
    world.clock.advance(DAY_MS - MINUTE_MS)
    expect(await start({ phone })).toMatchObject({ status: 201 })
    world.clock.advance(MINUTE_MS)
    expect(await refusal({ phone })).toMatchObject({ code: 'outside_service_window' })
    expect(await runs()).toHaveLength(1)
  })

  systemTest('but not for a closed window if the flow sends nothing', async () => {
    const tag = { kind: 'tag', add: ['vip'], remove: [], next: null }
    const { start, phone, shop, runs, contact } = await manualStory({ hello: tag })
    await setChannelType(world, shop, 'whatsapp_qr')
    expect(await start({ phone })).toMatchObject({ status: 201 })
    await world.service.processAll()
    expect(await runs()).toMatchObject([{ status: 'completed' }])
    expect((await contact())?.tags).toEqual(['vip'])
  })

  test('for a customer who opted out', async () => {
    const { refusal, write, phone, contact } = await manualStory()
    await write({ text: 'STOP' })
    const refused = { status: 409, code: 'opted_out' }
    expect(await refusal({ phone })).toMatchObject(refused)
    expect(await refusal({ contactId: (await contact())!.id })).toMatchObject(refused)
  })

  systemTest('for a flow that is off, deleted, or has another trigger', async () => {
    const { refusal, owner, flow, phone, shop, publish } = await manualStory()
    const other = await publish({ trigger: keyword('x') })
    const path = `/companies/${shop.companyId}/flows/${other}/runs`
    expect(await owner.ask('POST', path, { phone })).toMatchObject({
      status: 409,
      body: { code: 'flow_not_listening' },
    })
    await owner.ask('PATCH', flow, { isOn: false })
    expect(await refusal({ phone })).toMatchObject({ status: 409, code: 'flow_off' })
    await owner.ask('DELETE', flow)
    expect(await refusal({ phone })).toMatchObject({ status: 404, code: 'not_found' })
    expect(shop.events()).toEqual([])
  })

  systemTest('for a flow beyond the number of the plan', async () => {
    const { shop, owner, phone, publish } = await tellStory(world, whatsApp)
    for (const word of ['a', 'b', 'c', 'd']) await publish({ trigger: keyword(word) })
    const last = await publish({ trigger: MANUAL })
    await setPlan(world, shop, 'pro')
    const path = `/companies/${shop.companyId}/flows/${last}/runs`
    const { status, body } = await owner.ask('POST', path, { phone })
    expect([status, body]).toMatchObject([409, { code: 'flow_off', params: { max: 5 } }])
  })

  test('without automations in the plan; with a channel that is not connected', async () => {
    const { refusal, phone, shop } = await manualStory()
    await setConnected(world, shop, false)
    expect(await refusal({ phone })).toMatchObject({ status: 409, code: 'channel_unavailable' })
    await setPlan(world, shop, 'starter')
    expect(await refusal({ phone })).toMatchObject({ status: 403, code: 'not_in_plan' })
  })

  test('for no or two customers, an unreadable phone, an unknown contact, another company’s', async () => {
    const { refusal, flow, phone, runs, contact } = await manualStory()
    const field = async (json: object) => {
      const { status, errors } = await refusal(json)
      return [status, errors?.[0]?.field]
    }
    expect(await field({})).toEqual([422, 'contactId'])
    expect(await field({ phone, contactId: UNKNOWN })).toEqual([422, 'contactId'])
    expect(await field({ phone: '12' })).toEqual([422, 'phone'])
    expect(await field({ contactId: UNKNOWN })).toEqual([422, 'contactId'])
    expect(await field({ phone, key: 'k'.repeat(201) })).toEqual([422, 'key'])
    const other = await manualStory()
    await other.start({ phone: newPhone() })
    expect(await field({ contactId: (await other.contact())!.id })).toEqual([422, 'contactId'])
    expect((await other.owner.ask('POST', `${flow}/runs`, { phone })).status).toBe(404)
    expect(await runs()).toEqual([])
    expect(await contact()).toBeUndefined()
  })
})
