/** What a flow needs before a hook may start it. Spec: Flows › Publishing; reading F3. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DraftCheck, FlowDetail } from '../../src/contract/dashboard/flow.ts'
import { CHANNEL_TYPES } from '../../src/vocabulary/channels.ts'
import { askHook } from '../support/ask-hook.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterAll(() => world.close())

const flows = () => `/companies/${shop.companyId}/flows`
const TRIGGER = {
  kind: 'webhook',
  phonePath: 'customer.phone',
  namePath: null,
  languagePath: null,
  keep: [{ name: 'order', path: 'order.number' }],
}
const draft = (trigger: object) => ({
  channelId: shop.channelId,
  trigger,
  start: 'tell',
  steps: ORDER_READY_STEPS,
})

async function newFlow(): Promise<string> {
  return (await owner.ask<FlowDetail>('POST', flows(), { name: 'Hook flow' })).body.id
}

describe('The phone path', () => {
  const { phonePath: _, ...without } = TRIGGER
  test.each<[string, object]>([
    ['missing', without],
    ['empty', { ...TRIGGER, phonePath: '' }],
    ['null', { ...TRIGGER, phonePath: null }],
    ['only blanks', { ...TRIGGER, phonePath: '  ' }],
    ['the whole body', { ...TRIGGER, phonePath: '$' }],
  ])(
    'is required in the trigger’s settings: %s, and the draft is not saved',
    async (_name, trigger) => {
      const path = `${flows()}/${await newFlow()}`
      const saved = await owner.ask('PUT', `${path}/draft`, draft(trigger))
      expect(saved).toMatchObject({ status: 422, body: { code: 'invalid' } })
      const fields = saved.body.errors!.map(({ field }) => field)
      expect(new Set(fields)).toEqual(new Set(['trigger.phonePath']))
      expect((await owner.ask<FlowDetail>('GET', path)).body.draft).toBe(null)
      expect((await owner.ask('POST', `${path}/publish`)).status).toBeGreaterThanOrEqual(400)
    },
  )
})

describe('A channel', () => {
  test.each(CHANNEL_TYPES.filter((type) => type !== 'whatsapp'))(
    'of type %s cannot be used by a flow that a hook starts',
    async (type) => {
      const path = `${flows()}/${await newFlow()}`
      const setType = (to: string) =>
        world.database.db.kysely
          .updateTable('channel')
          .set({ type: to })
          .where('id', '=', shop.channelId)
          .execute()
      expect((await owner.ask('PUT', `${path}/draft`, draft(TRIGGER))).status).toBe(200)
      await setType(type)
      try {
        const checked = await owner.ask<DraftCheck>('GET', `${path}/draft/check`)
        expect(checked.body.canBePublished).toBe(false)
        expect(checked.body.problems).toContainEqual({
          stepId: null,
          rule: 'channel_type',
          field: '.',
          code: 'trigger_cannot_begin',
          params: { channelType: type },
          isWarning: false,
          text: `A flow that writes to the customer first needs a channel that may begin a conversation; ${type} does not.`,
        })
        expect((await owner.ask('POST', `${path}/publish`)).status).toBe(422)
        // A flow that was published before is not started on it either.
        expect(await askHook(shop.hookUrl)).toMatchObject({ http: 409, id: null })
      } finally {
        await setType('whatsapp')
      }
      expect((await owner.ask('POST', `${path}/publish`)).status).toBe(200)
    },
  )
})
