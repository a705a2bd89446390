import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  DraftCheck,
  FlowDetail,
  FlowView,
  PublishedFlow,
} from '../../src/contract/dashboard/flow.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { PLAN_LIMITS } from '../../src/limits/accounts.ts'
import { askHook } from '../support/ask-hook.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'
import { repeatWhile } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterAll(async () => {
  await world.close()
})

const flows = () => `/companies/${shop.companyId}/flows`
const draft = (more: object = {}) => ({
  channelId: shop.channelId,
  trigger: {
    kind: 'webhook',
    phonePath: '$.customer.phone',
    namePath: 'customer.name',
    languagePath: null,
    keep: [{ name: 'order', path: 'order.number' }],
  },
  start: 'tell',
  steps: ORDER_READY_STEPS,
  ...more,
})

async function createFlow(name: string): Promise<FlowDetail> {
  const made = await owner.ask<FlowDetail>('POST', flows(), { name })
  expect(made.status).toBe(201)
  return made.body
}

async function publishedFlow(name: string): Promise<FlowDetail> {
  const { id } = await createFlow(name)
  expect((await owner.ask('PUT', `${flows()}/${id}/draft`, draft())).status).toBe(200)
  const published = await owner.ask<PublishedFlow>('POST', `${flows()}/${id}/publish`)
  expect(published.status).toBe(200)
  return published.body.flow
}

const actionsOn = async (flowId: string) => {
  const rows = await world.database.db.kysely
    .selectFrom('audit')
    .select('action')
    .where('subjectId', '=', flowId)
    .where('actorId', '=', owner.personId)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.action)
}

const setPlan = (plan: string) =>
  world.database.db.kysely
    .updateTable('account')
    .set({ plan })
    .where('id', '=', shop.accountId)
    .execute()

describe('A flow', () => {
  test('is made, drawn, checked and published, and each change is in the audit log', async () => {
    const { id, state } = await createFlow('  Order paid ')
    expect(state).toBe('draft')
    const saved = await owner.ask<FlowDetail>('PUT', `${flows()}/${id}/draft`, draft())
    expect(saved.body).toMatchObject({
      name: 'Order paid',
      state: 'draft',
      triggerKind: 'webhook',
      channelId: shop.channelId,
      hasDraft: true,
      draft: { number: 1, publishedAt: null, definition: { start: 'tell' } },
      published: null,
    })
    const checked = await owner.ask<DraftCheck>('GET', `${flows()}/${id}/draft/check`)
    expect(checked.body).toEqual({ canBePublished: true, problems: [] })
    const published = await owner.ask<PublishedFlow>('POST', `${flows()}/${id}/publish`)
    expect(published.body).toMatchObject({
      warnings: [],
      flow: { state: 'on', hasDraft: false, publishedNumber: 1, draft: null },
    })
    expect(await actionsOn(id)).toEqual(['flow.created', 'flow.draft_saved', 'flow.published'])
  })

  test('keeps its published version while a draft is edited in place, until that is published', async () => {
    const { id, published } = await publishedFlow('Twice')
    const path = `${flows()}/${id}`
    await owner.ask('PUT', `${path}/draft`, draft({ start: 'ask' }))
    const { body } = await owner.ask<FlowDetail>('PUT', `${path}/draft`, draft())
    expect(body).toMatchObject({
      published: { id: published!.id, number: 1, definition: { start: 'tell' } },
      draft: { number: 2, definition: { start: 'tell' } },
    })
    const again = await owner.ask<PublishedFlow>('POST', `${path}/publish`)
    expect(again.body.flow).toMatchObject({ publishedNumber: 2, draft: null })
    expect((await owner.ask('POST', `${path}/publish`)).body).toMatchObject({
      code: 'conflict',
      status: 409,
    })
  })

  test('that is published never changes: not even the database lets it', async () => {
    const { published } = await publishedFlow('Frozen')
    const change = world.database.db.kysely
      .updateTable('flowVersion')
      .set({ definition: '{}' })
      .where('id', '=', published!.id)
      .execute()
    await expect(change).rejects.toThrow('never changes')
  })

  test.each(['keyword', 'conversation_started', 'manual', 'template_button'] as const)(
    'is published with the trigger %s',
    async (kind) => {
      const { id } = await createFlow(`By ${kind}`)
      const trigger = { kind, words: ['offer'], template: 'order_ready', button: 'Later' }
      const saved = await owner.ask('PUT', `${flows()}/${id}/draft`, { ...draft(), trigger })
      expect(saved.status).toBe(200)
      const published = await owner.ask<PublishedFlow>('POST', `${flows()}/${id}/publish`)
      expect(published.body.flow).toMatchObject({ state: 'on', triggerKind: kind })
      await owner.ask('DELETE', `${flows()}/${id}`)
    },
  )

  test('is not published with a wait before its template: the step and the rule are named', async () => {
    const { id } = await createFlow('Waits first')
    await owner.ask('PUT', `${flows()}/${id}/draft`, draft({ start: 'ask' }))
    const checked = await owner.ask<DraftCheck>('GET', `${flows()}/${id}/draft/check`)
    expect(checked.body.canBePublished).toBe(false)
    expect(checked.body.problems).toEqual(
      expect.arrayContaining([
        {
          stepId: 'ask',
          field: 'steps.ask',
          rule: 'template_first',
          code: 'template_first',
          params: { step: 'ask' },
          text: expect.stringContaining('must send a template before anything else'),
          isWarning: false,
        },
      ]),
    )
    const refused = await owner.ask('POST', `${flows()}/${id}/publish`)
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid' } })
    expect(refused.body.errors).toContainEqual({
      field: 'steps.ask',
      code: 'template_first',
      params: { step: 'ask' },
      message: expect.stringContaining('must send a template before anything else'),
    })
    const { body } = await owner.ask<FlowDetail>('GET', `${flows()}/${id}`)
    expect(body.state).toBe('draft')
  })

  test.each<[string, object, string, string]>([
    ['a path that is only $', { phonePath: '$' }, 'trigger.phonePath', 'path_empty'],
    ['a path with a space', { namePath: 'a b' }, 'trigger.namePath', 'path_space'],
    ['a position like 01', { languagePath: 'a[01]' }, 'trigger.languagePath', 'path_bad_position'],
    [
      'two values of one name',
      { keep: ['a', 'b'].map((path) => ({ name: 'x', path })) },
      'trigger.keep[1].name',
      'kept_name_taken',
    ],
    [
      'more than ten values',
      { keep: Array.from({ length: 11 }, (_, n) => ({ name: `v${n}`, path: 'a' })) },
      'trigger.keep',
      'too_big',
    ],
    [
      'a variable’s name with a dash',
      { keep: [{ name: 'a-b', path: 'a' }] },
      'trigger.keep[0].name',
      'wrong_variable_name',
    ],
  ])('is not saved with %s', async (_, trigger, field, code) => {
    const { id } = await createFlow('Paths')
    const refused = await owner.ask(
      'PUT',
      `${flows()}/${id}/draft`,
      draft({ trigger: { ...draft().trigger, ...trigger } }),
    )
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual([
      { field, code, params: expect.any(Object), message: expect.any(String) },
    ])
  })

  test('is not saved on a channel of another company', async () => {
    const stranger = await createShop(world, { phoneNumberId: '1', businessAccountId: '1' })
    const { id } = await createFlow('Stranger')
    for (const channelId of [stranger.channelId, 'nonsense']) {
      const refused = await owner.ask('PUT', `${flows()}/${id}/draft`, draft({ channelId }))
      expect(refused.body).toMatchObject({ code: 'invalid', errors: [{ field: 'channelId' }] })
    }
  })

  test('may be saved half drawn, and keeps no text that cannot be stored', async () => {
    const { id } = await createFlow('Half')
    const steps = { tell: { kind: 'send_message', text: 'a\u0000b\ud800', next: 'later' } }
    const saved = await owner.ask<FlowDetail>(
      'PUT',
      `${flows()}/${id}/draft`,
      draft({ steps, channelId: '' }),
    )
    expect(saved.status).toBe(200)
    expect(saved.body.draft!.definition.steps['tell']).toMatchObject({ text: 'a\ufffdb\ufffd' })
  })

  test('is renamed, switched off and on, and its hook answers flow_off meanwhile', async () => {
    const path = `${flows()}/${shop.flowId}`
    expect((await owner.ask<FlowDetail>('PATCH', path, { name: 'Ready' })).body.name).toBe('Ready')
    const off = await owner.ask<FlowDetail>('PATCH', path, { isOn: false })
    expect(off.body.state).toBe('off')
    await expect.poll(async () => (await askHook(shop.hookUrl)).status).toBe('flow_off')
    await owner.ask('PATCH', path, { isOn: true })
    await expect.poll(async () => (await askHook(shop.hookUrl)).status).toBe('accepted')
    expect(await actionsOn(shop.flowId)).toEqual([
      'flow.renamed',
      'flow.switched_off',
      'flow.switched_on',
    ])
  })

  test('that is changed to what it is already changes nothing', async () => {
    const { id } = await createFlow('Same')
    await owner.ask('PATCH', `${flows()}/${id}`, { name: 'Same', isOn: true })
    expect(await actionsOn(id)).toEqual(['flow.created'])
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ name: 'x', colour: 'red' }, 'colour'],
  ])('has a name of 1 to 80 characters and nothing unknown: %#', async (body, field) => {
    const refused = await owner.ask('POST', flows(), body)
    expect(refused.status).toBe(422)
    expect(refused.body.errors![0]).toMatchObject({ field })
  })

  test('of another company is not found', async () => {
    const stranger = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
    for (const [method, suffix, json] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['PUT', '/draft', draft()],
      ['POST', '/publish', undefined],
    ] as const) {
      const answer = await owner.ask(method, `${flows()}/${stranger.flowId}${suffix}`, json)
      expect([method, answer.status]).toEqual([method, 404])
    }
  })

  test('is deleted with its hook URL, which answers 404, while its runs stay', async () => {
    const { id } = await publishedFlow('Gone')
    const hook = await owner.ask<{ url: string }>(
      'POST',
      `/companies/${shop.companyId}/hook-urls`,
      { flowId: id },
    )
    const accepted = await askHook(hook.body.url)
    expect(accepted.status).toBe('accepted')
    expect((await owner.ask('DELETE', `${flows()}/${id}`)).status).toBe(204)
    await expect.poll(async () => (await askHook(hook.body.url)).http).toBe(404)
    expect((await owner.ask('GET', `${flows()}/${id}`)).status).toBe(404)
    const run = await owner.ask('GET', `/companies/${shop.companyId}/runs/${accepted.id}`)
    expect(run.body).toMatchObject({ id: accepted.id, flow: { id, name: 'Gone' } })
  })
})

describe('The flows of a company', () => {
  test('are listed page by page', async () => {
    const first = await owner.ask<Page<FlowView>>('GET', `${flows()}?limit=2`)
    expect(first.body.items).toHaveLength(2)
    const names = new Set(first.body.items.map((flow) => flow.id))
    let cursor = first.body.nextCursor
    const hasMore = () => cursor !== null
    await repeatWhile('pages of flows', hasMore, async () => {
      const next = await owner.ask<Page<FlowView>>('GET', `${flows()}?limit=100&cursor=${cursor}`)
      for (const flow of next.body.items) names.add(flow.id)
      cursor = next.body.nextCursor
    })
    expect(names).toContain(shop.flowId)
    expect(names.size).toBeGreaterThan(5)
  })

  systemTest(
    'are not more than the plan has, published and on, also when two are published at once',
    async () => {
      const other = await createShop(world, {
        plan: 'pro',
        phoneNumberId: '3',
        businessAccountId: '3',
      })
      const admin = await signedIn(world, { accountId: other.accountId, role: 'admin' })
      const base = `/companies/${other.companyId}/flows`
      const ready = async () => {
        const { body } = await admin.ask<FlowDetail>('POST', base, { name: 'One more' })
        await admin.ask('PUT', `${base}/${body.id}/draft`, draft({ channelId: other.channelId }))
        return body.id
      }
      for (let on = 1; on < PLAN_LIMITS.pro.flows - 1; on += 1) {
        const id = await ready()
        expect((await admin.ask('POST', `${base}/${id}/publish`)).status).toBe(200)
      }
      const ids = [await ready(), await ready(), await ready()]
      const answers = await Promise.all(
        ids.map(async (id) => ({ id, ...(await admin.ask('POST', `${base}/${id}/publish`)) })),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422])
      const refused = answers.find(({ status }) => status === 422)!
      expect(refused.body.errors).toEqual([
        {
          field: '.',
          code: 'flows_of_plan',
          params: { plan: 'pro', most: 5 },
          message: expect.stringContaining('5 flows'),
        },
      ])
      // One that is switched off may be published, but then not switched on.
      await admin.ask('PATCH', `${base}/${refused.id}`, { isOn: false })
      expect((await admin.ask('POST', `${base}/${refused.id}/publish`)).status).toBe(200)
      expect(await admin.ask('PATCH', `${base}/${refused.id}`, { isOn: true })).toMatchObject({
        status: 409,
        body: { code: 'limit_reached' },
      })
    },
  )

  systemTest(
    'beyond a smaller plan’s number are shown as such; the longest-published ones stay on',
    async () => {
      const other = await createShop(world, { phoneNumberId: '4', businessAccountId: '4' })
      const admin = await signedIn(world, { accountId: other.accountId, role: 'admin' })
      const base = `/companies/${other.companyId}/flows`
      let last = ''
      for (let on = 0; on < PLAN_LIMITS.pro.flows; on += 1) {
        const { body } = await admin.ask<FlowDetail>('POST', base, { name: `Flow ${on}` })
        last = body.id
        await admin.ask('PUT', `${base}/${last}/draft`, draft({ channelId: other.channelId }))
        world.clock.advance(1_000)
        await admin.ask('POST', `${base}/${last}/publish`)
      }
      await world.database.db.kysely
        .updateTable('account')
        .set({ plan: 'pro' })
        .where('id', '=', other.accountId)
        .execute()
      const { body } = await admin.ask<Page<FlowView>>('GET', base)
      const beyond = body.items.filter((flow) => flow.state === 'beyond_plan')
      expect(beyond.map((flow) => flow.id)).toEqual([last])
    },
  )

  test('are not made on a plan without automations, but may be switched off and deleted', async () => {
    const { id } = await publishedFlow('Left behind')
    await setPlan('free')
    try {
      expect((await owner.ask('POST', flows(), { name: 'x' })).body.code).toBe('not_in_plan')
      expect((await owner.ask('PUT', `${flows()}/${id}/draft`, draft())).status).toBe(200)
      expect((await owner.ask('POST', `${flows()}/${id}/publish`)).body.errors).toContainEqual(
        expect.objectContaining({ code: 'in_plan' }),
      )
      expect((await owner.ask('PATCH', `${flows()}/${id}`, { isOn: false })).status).toBe(200)
      expect((await owner.ask('PATCH', `${flows()}/${id}`, { isOn: true })).body.code).toBe(
        'not_in_plan',
      )
      expect((await owner.ask('DELETE', `${flows()}/${id}`)).status).toBe(204)
    } finally {
      await setPlan('business')
    }
  })
})

test('An Agent sets nothing up and sees no runs; only an Owner or Admin can', async () => {
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const company = `/companies/${shop.companyId}`
  for (const path of ['channels', 'templates', 'hook-urls', 'runs']) {
    const answer = await agent.ask('GET', `${company}/${path}`)
    expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'forbidden'])
  }
})
