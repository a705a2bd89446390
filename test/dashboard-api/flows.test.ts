/** Flows: they are drawn, published, switched and deleted. Spec: Flows › Publishing; reading F3. */
import { describe, expect, test } from 'vitest'
import type {
  DraftCheck,
  FlowDetail,
  FlowView,
  PublishedFlow,
} from '../../src/contract/dashboard/flow.ts'
import { PLAN_LIMITS } from '../../src/core/limits/accounts.ts'
import { FLOW_LIMITS } from '../../src/core/limits/flows.ts'
import { CHANNEL_TYPES } from '../../src/core/vocabulary/channels.ts'
import { postHook } from '../support/post-hook.ts'
import { refusalsOf, itemsOf } from '../support/dashboard.ts'
import { openOwnedShop, ownedShop } from '../support/owned-shop.ts'
import { setPlan } from '../support/records/accounts.ts'
import { actionsOn } from '../support/records/audit.ts'
import { setChannelType } from '../support/records/channels.ts'
import { holdLock } from '../support/records/locks.ts'
import { addEmptyFlows, putFlowVersion } from '../support/records/flows.ts'
import { createOwnShop, orderDraft, ORDER_TRIGGER } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, shop, owner } = await openOwnedShop()

const flows = `/companies/${shop.companyId}/flows`
async function createFlow(name: string): Promise<FlowDetail> {
  const made = await owner.ask<FlowDetail>('POST', flows, { name })
  expect(made.status).toBe(201)
  return made.body
}

const save = (id: string, more?: object) =>
  owner.ask<FlowDetail>('PUT', `${flows}/${id}/draft`, orderDraft(shop, more))
const check = async (id: string) =>
  (await owner.ask<DraftCheck>('GET', `${flows}/${id}/draft/check`)).body
const publish = (id: string) => owner.ask<PublishedFlow>('POST', `${flows}/${id}/publish`)

async function publishedFlow(name: string): Promise<FlowDetail> {
  const { id } = await createFlow(name)
  expect((await save(id)).status).toBe(200)
  const published = await publish(id)
  expect(published.status).toBe(200)
  return published.body.flow
}

const actionsOnFlow = (subjectId: string) =>
  actionsOn(world, { subjectId, actorId: owner.personId })

describe('A flow', () => {
  test('is made, drawn, checked and published, and each change is in the audit log', async () => {
    const { id, state } = await createFlow('  Order paid ')
    expect(state).toBe('draft')
    expect((await save(id)).body).toMatchObject({
      name: 'Order paid',
      state: 'draft',
      triggerKind: 'webhook',
      channelId: shop.channelId,
      hasDraft: true,
      draft: { number: 1, publishedAt: null, definition: { start: 'tell' } },
      published: null,
    })
    expect(await check(id)).toEqual({ canBePublished: true, problems: [] })
    expect((await publish(id)).body).toMatchObject({
      warnings: [],
      flow: { state: 'on', hasDraft: false, publishedNumber: 1, draft: null },
    })
    expect(await actionsOnFlow(id)).toEqual(['flow.created', 'flow.draft_saved', 'flow.published'])
  })

  test('keeps its published version while a draft is edited in place, until that is published', async () => {
    const { id, published } = await publishedFlow('Twice')
    await save(id, { start: 'ask' })
    expect((await save(id)).body).toMatchObject({
      published: { id: published!.id, number: 1, definition: { start: 'tell' } },
      draft: { number: 2, definition: { start: 'tell' } },
    })
    expect((await publish(id)).body.flow).toMatchObject({ publishedNumber: 2, draft: null })
    expect((await publish(id)).body).toMatchObject({ code: 'conflict', status: 409 })
  })

  test('never changes once it is published: the database refuses it', async () => {
    const { published } = await publishedFlow('Frozen')
    const change = putFlowVersion(world, { versionId: published!.id }, { definition: '{}' })
    await expect(change).rejects.toThrow('never changes')
  })

  test.each(['keyword', 'conversation_started', 'manual', 'template_button'] as const)(
    'is published with the trigger %s',
    async (kind) => {
      const { id } = await createFlow(`By ${kind}`)
      const trigger = { kind, words: ['offer'], template: 'order_ready', button: 'Later' }
      expect((await save(id, { trigger })).status).toBe(200)
      expect((await publish(id)).body.flow).toMatchObject({ state: 'on', triggerKind: kind })
      await owner.ask('DELETE', `${flows}/${id}`)
    },
  )

  test('is not published with a wait before its template: the step and the rule are named', async () => {
    const { id } = await createFlow('Waits first')
    await save(id, { start: 'ask' })
    const rule = { field: 'steps.ask', code: 'template_first', params: { step: 'ask' } }
    const told = expect.stringContaining('must start with a template') as string
    const checked = await check(id)
    expect(checked.canBePublished).toBe(false)
    expect(checked.problems).toContainEqual({
      ...rule,
      stepId: 'ask',
      rule: 'template_first',
      text: told,
      isWarning: false,
    })
    const refused = await owner.ask('POST', `${flows}/${id}/publish`)
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid' } })
    expect(refused.body.errors).toContainEqual({ ...rule, message: told })
    const { body } = await owner.ask<FlowDetail>('GET', `${flows}/${id}`)
    expect(body.state).toBe('draft')
  })

  const kept = (count: number, name: (nth: number) => string) => ({
    keep: Array.from({ length: count }, (_, nth) => ({ name: name(nth), path: 'a' })),
  })
  const hooked = (more: object) => ({ trigger: { ...ORDER_TRIGGER, ...more } })
  const half = (step: object) => ({ start: 'half', steps: { half: { next: null, ...step } } })
  const unchosen = { template: '', language: '', header: null, body: [] }
  const unasked = { text: '', answer: 'choice', options: [{ value: '', label: '' }] }
  const unended = { saveAs: 'my answer', timeoutMinutes: null, onTimeout: null }
  const noWait = { until: { kind: 'minutes', minutes: 0 } }
  systemTest.each<[string, object, string]>([
    ['two values of one name', hooked(kept(2, () => 'x')), 'trigger.keep[1].name: kept_name_taken'],
    ['a dash in a name', hooked(kept(1, () => 'a-b')), 'trigger.keep[0].name: wrong_variable_name'],
    ['no phone path yet', hooked({ phonePath: '' }), 'trigger.phonePath: too_small'],
    ['no words', half({ kind: 'send_message', text: '' }), 'steps.half.text: too_small'],
    [
      'a question without words, answers or an end of the wait',
      half({ kind: 'ask', ...unasked, ...unended }),
      'steps.half.timeoutMinutes: wrong_type',
    ],
    ['no template', half({ kind: 'send_template', ...unchosen }), 'steps.half.template: too_small'],
    ['an empty note', half({ kind: 'note', text: '' }), 'steps.half.text: too_small'],
    [
      'a wait of no length',
      half({ kind: 'wait', ...noWait }),
      'steps.half.until.minutes: too_small',
    ],
  ])('is saved with %s, and not published', async (_, more, refusal) => {
    const { id } = await createFlow('Half')
    const saved = await save(id, more)
    expect([saved.status, refusalsOf(saved) ?? null]).toEqual([200, null])
    const { draft } = (await owner.ask<FlowDetail>('GET', `${flows}/${id}`)).body
    expect(draft!.definition).toMatchObject(more)
    const faults = (await check(id)).problems.map(({ field, params }) => {
      return `${field}: ${(params as { said?: { code: string } }).said?.code}`
    })
    expect(faults).toContain(refusal)
    expect((await publish(id)).status).toBe(422)
  })

  test('is not saved with more than ten values', async () => {
    const { id } = await createFlow('Paths')
    const refused = await save(id, hooked(kept(11, (nth) => `v${nth}`)))
    expect([refused.status, refusalsOf(refused)]).toEqual([422, ['trigger.keep: too_big']])
  })

  test.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['no text', 5],
  ])('is not saved with a hook whose phone path is %s', async (_name, phonePath) => {
    const { id } = await createFlow('Hook flow')
    const refused = await save(id, hooked({ phonePath }))
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid' } })
    const fields = refusalsOf(refused)!.map((one) => one.split(':')[0])
    expect(new Set(fields)).toEqual(new Set(['trigger.phonePath']))
    expect((await owner.ask<FlowDetail>('GET', `${flows}/${id}`)).body.draft).toBe(null)
    expect((await publish(id)).status).toBeGreaterThanOrEqual(400)
  })

  test('is not saved on a channel of another company', async () => {
    const { channelId } = await createOwnShop(world)
    const { id } = await createFlow('Stranger')
    for (const wrong of [channelId, 'nonsense']) {
      const refused = (await save(id, { channelId: wrong })).body
      expect(refused).toMatchObject({ code: 'invalid', errors: [{ field: 'channelId' }] })
    }
  })

  test('may be saved half drawn, and keeps no text that cannot be stored', async () => {
    const { id } = await createFlow('Half')
    const steps = { tell: { kind: 'send_message', text: 'a\u0000b\ud800', next: 'later' } }
    const saved = await save(id, { steps, channelId: '' })
    expect(saved.status).toBe(200)
    expect(saved.body.draft!.definition.steps['tell']).toMatchObject({ text: 'a\ufffdb\ufffd' })
  })

  test('is renamed, switched off and on, and its hook answers flow_off meanwhile', async () => {
    const path = `${flows}/${shop.flowId}`
    expect((await owner.ask<FlowDetail>('PATCH', path, { name: 'Ready' })).body.name).toBe('Ready')
    const off = await owner.ask<FlowDetail>('PATCH', path, { isOn: false })
    expect(off.body.state).toBe('off')
    await expect.poll(async () => (await postHook(shop.hookUrl)).status).toBe('flow_off')
    await owner.ask('PATCH', path, { isOn: true })
    await expect.poll(async () => (await postHook(shop.hookUrl)).status).toBe('accepted')
    expect(await actionsOnFlow(shop.flowId)).toEqual([
      'flow.renamed',
      'flow.switched_off',
      'flow.switched_on',
    ])
  })

  test('changes nothing when it gets its current values', async () => {
    const { id } = await createFlow('Same')
    await owner.ask('PATCH', `${flows}/${id}`, { name: 'Same', isOn: true })
    expect(await actionsOnFlow(id)).toEqual(['flow.created'])
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ name: 'x', colour: 'red' }, 'colour'],
  ])('has a name of 1 to 80 characters and nothing unknown: %#', async (body, field) => {
    const refused = await owner.ask('POST', flows, body)
    expect(refused.status).toBe(422)
    expect(refused.body.errors![0]).toMatchObject({ field })
  })

  test('is deleted with its hook URL, which answers 404, while its runs stay', async () => {
    const { id } = await publishedFlow('Gone')
    const hooks = `/companies/${shop.companyId}/hook-urls`
    const hook = await owner.ask<{ url: string }>('POST', hooks, { flowId: id })
    const accepted = await postHook(hook.body.url)
    expect(accepted.status).toBe('accepted')
    expect((await owner.ask('DELETE', `${flows}/${id}`)).status).toBe(204)
    await expect.poll(async () => (await postHook(hook.body.url)).http).toBe(404)
    expect((await owner.ask('GET', `${flows}/${id}`)).status).toBe(404)
    const run = await owner.ask('GET', `/companies/${shop.companyId}/runs/${accepted.id}`)
    expect(run.body).toMatchObject({ id: accepted.id, flow: { id, name: 'Gone' } })
  })
})

systemTest.each(CHANNEL_TYPES.filter((type) => type !== 'whatsapp'))(
  'A channel of type %s cannot be used by a flow that a hook starts',
  async (type) => {
    const { id } = await createFlow('Hook flow')
    expect((await save(id)).status).toBe(200)
    await setChannelType(world, shop, type)
    try {
      const checked = await check(id)
      expect(checked.canBePublished).toBe(false)
      expect(checked.problems).toContainEqual({
        stepId: null,
        rule: 'channel_type',
        field: '.',
        code: 'trigger_cannot_begin',
        params: { channelType: type },
        isWarning: false,
        text: `A flow that messages the customer first needs a channel that can start conversations; ${type} can’t.`,
      })
      expect((await publish(id)).status).toBe(422)
      // A flow that was published before is not started on this channel either.
      expect(await postHook(shop.hookUrl)).toMatchObject({ http: 409, id: null })
    } finally {
      await setChannelType(world, shop, 'whatsapp')
    }
    expect((await publish(id)).status).toBe(200)
    await owner.ask('DELETE', `${flows}/${id}`)
  },
)

describe('The flows of a company', () => {
  systemTest('are on up to the number of the plan, also if published together', async () => {
    const { shop: other, owner: member } = await ownedShop(world, { plan: 'pro' })
    const base = `/companies/${other.companyId}/flows`
    const ready = async () => {
      const { body } = await member.ask<FlowDetail>('POST', base, { name: 'One more' })
      await member.ask('PUT', `${base}/${body.id}/draft`, orderDraft(other))
      return body.id
    }
    for (let on = 1; on < PLAN_LIMITS.pro.flows - 1; on += 1) {
      const id = await ready()
      expect((await member.ask('POST', `${base}/${id}/publish`)).status).toBe(200)
    }
    const ids = [await ready(), await ready(), await ready()]
    const answers = await Promise.all(
      ids.map(async (id) => ({ id, ...(await member.ask('POST', `${base}/${id}/publish`)) })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422])
    const refused = answers.find(({ status }) => status === 422)!
    expect(refused.body.errors).toEqual([
      {
        field: '.',
        code: 'flows_of_plan',
        params: { plan: 'pro', max: 5 },
        message: expect.stringContaining('5 active flows'),
      },
    ])
    // A flow that is switched off may be published, but then not switched on.
    await member.ask('PATCH', `${base}/${refused.id}`, { isOn: false })
    expect((await member.ask('POST', `${base}/${refused.id}/publish`)).status).toBe(200)
    expect(await member.ask('PATCH', `${base}/${refused.id}`, { isOn: true })).toMatchObject({
      status: 409,
      body: { code: 'limit_reached' },
    })
  })

  systemTest('beyond the number of a smaller plan are the newest, shown as such', async () => {
    const { shop: other, owner: member } = await ownedShop(world)
    const base = `/companies/${other.companyId}/flows`
    let last = ''
    for (let on = 0; on < PLAN_LIMITS.pro.flows; on += 1) {
      const { body } = await member.ask<FlowDetail>('POST', base, { name: `Flow ${on}` })
      last = body.id
      await member.ask('PUT', `${base}/${last}/draft`, orderDraft(other))
      world.clock.advance(1_000)
      await member.ask('POST', `${base}/${last}/publish`)
    }
    await setPlan(world, other, 'pro')
    const items = await itemsOf<FlowView>(member, base)
    const beyond = items.filter((flow) => flow.state === 'beyond_plan')
    expect(beyond.map((flow) => flow.id)).toEqual([last])
  })

  test('are not made on a plan without automations, but may be switched off and deleted', async () => {
    const { id } = await publishedFlow('Left behind')
    await setPlan(world, shop, 'free')
    try {
      expect((await owner.ask('POST', flows, { name: 'x' })).body.code).toBe('not_in_plan')
      expect((await save(id)).status).toBe(200)
      expect((await owner.ask('POST', `${flows}/${id}/publish`)).body.errors).toContainEqual(
        expect.objectContaining({ code: 'in_plan' }),
      )
      expect((await owner.ask('PATCH', `${flows}/${id}`, { isOn: false })).status).toBe(200)
      expect((await owner.ask('PATCH', `${flows}/${id}`, { isOn: true })).body.code).toBe(
        'not_in_plan',
      )
      expect((await owner.ask('DELETE', `${flows}/${id}`)).status).toBe(204)
    } finally {
      await setPlan(world, shop, 'business')
    }
  })
})

test('A company has no more flows than the limit, drafts included; a deleted one makes room', async () => {
  const { shop: other, owner: member } = await ownedShop(world)
  const path = `/companies/${other.companyId}/flows`
  const count = (await itemsOf<FlowView>(member, path)).length
  await addEmptyFlows(world, other, FLOW_LIMITS.perCompany - count - 1)
  const create = (name: string) => member.ask<FlowDetail>('POST', path, { name })
  await using lock = await holdLock(world, 'the companies')
  const creating = Promise.all([create('One'), create('Another')])
  await lock.blocks('both requests', 2)
  await lock.release()
  const both = await creating
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect(await create('More')).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
  const made = both.find(({ status }) => status === 201)!
  expect((await member.ask('DELETE', `${path}/${made.body.id}`)).status).toBe(204)
  expect((await create('More')).status).toBe(201)
})
