/** What becomes of a run when WhatsApp refuses, falls silent, or tells of a failure later. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RUN_LIMITS } from '../../src/limits/flows.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { accepted, startMeta } from '../channels/loopback-meta.ts'
import { createWorld, type World } from '../support/service.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import {
  approved,
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { postWebhook, receipt, webhookOf } from '../support/whatsapp-webhook.ts'
import { inEnglish } from '../support/in-english.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world, { webhooks: { attempts: 1 } })
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const runOf = (id: string) =>
  world.database.db.kysely
    .selectFrom('flowRun')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const messagesOf = (runId: string) =>
  world.database.db.kysely
    .selectFrom('message')
    .selectAll()
    .where('runId', '=', runId)
    .orderBy('id')
    .execute()
const stepsOf = (runId: string) =>
  world.database.db.kysely
    .selectFrom('flowRunStep')
    .select(['stepId', 'status', 'detail'])
    .where('runId', '=', runId)
    .orderBy('number')
    .execute()
const sentTo = (phone: string) =>
  whatsApp.simulator.messages().filter(({ to }) => `+${to}` === phone)
const refusedFor = (phone: string) => whatsApp.simulator.refusals().filter(({ to }) => to === phone)

/** The simulator takes the last digits of a number for the code that a send to it ends in. */
const numberThatEndsIn = (code: string) => `+966512${code}`

function expectFailed(shop: ConnectedShop, runId: string) {
  expect(shop.events('flow.completed')).toEqual([])
  expect(shop.events('flow.failed')).toMatchObject([
    { data: { run: { id: runId, status: 'failed', endReason: 'error' } } },
  ])
}

/** WhatsApp says what became of a message. */
async function tellStatus(shop: ConnectedShop, status: Record<string, unknown>) {
  const timestamp = String(world.clock.now().getTime() / 1_000)
  const told = webhookOf(shop, [receipt({ timestamp, ...status })])
  expect(await postWebhook(world, told)).toBe(200)
}

describe('a send that the provider refuses for now', () => {
  test('is tried again after 5 s, 30 s, 2 min and 10 min, then the run fails', async () => {
    const shop = await whatsApp.openShop()
    const phone = numberThatEndsIn('130429')
    const runId = await shop.order(phone)
    await whatsApp.settle()
    expect(refusedFor(phone)).toHaveLength(1)
    let tries = 1
    for (const delayMs of RUN_LIMITS.sendRetryDelaysMs) {
      expect(await runOf(runId)).toMatchObject({ status: 'running', sendFailures: tries })
      world.clock.advance(delayMs - 1)
      await whatsApp.settle()
      expect(refusedFor(phone)).toHaveLength(tries)
      world.clock.advance(1)
      await whatsApp.settle()
      tries += 1
      expect(refusedFor(phone)).toHaveLength(tries)
    }
    expectFailed(shop, runId)
    expect(inEnglish((await runOf(runId)).endDetail)).toMatch(
      /^The provider refused: .+ \(130429\)\.$/,
    )
    expect(await messagesOf(runId)).toHaveLength(5)
    expect((await stepsOf(runId)).map(({ status }) => status)).toEqual(Array(5).fill('failed'))
  })

  test('goes on where the provider takes it again, and its earlier refusals are forgotten', async () => {
    const shop = await whatsApp.openShop()
    world.baseUrls.whatsAppSimulator = 'http://127.0.0.1:9'
    const phone = newPhone()
    const runId = await shop.order(phone)
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'running', sendFailures: 1 })
    world.baseUrls.whatsAppSimulator = whatsApp.simulator.graphBaseUrl
    world.clock.advance(5 * SECOND_MS)
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', sendFailures: 0 })
    expect(sentTo(phone)).toHaveLength(1)
    whatsApp.simulator.tapButton({ from: phone })
    await whatsApp.settle()
    expect(shop.events('flow.completed')).toHaveLength(1)
  })

  systemTest('counts the tries of each send for itself', async () => {
    const shop = await whatsApp.openShop({
      steps: {
        ...ORDER_READY_STEPS,
        tell: { ...ORDER_READY_STEPS.tell, next: 'again' },
        again: { ...ORDER_READY_STEPS.tell },
      },
    })
    const isTaken = [false, false, true, false]
    const meta = await startMeta((response) => {
      if (isTaken.shift()) response.end(accepted('wamid.taken'))
      else response.writeHead(429).end('{"error":{"code":130429,"message":"Rate limit hit"}}')
    })
    world.baseUrls.whatsAppSimulator = meta.url
    const runId = await shop.order(newPhone())
    await whatsApp.settle()
    for (const delayMs of RUN_LIMITS.sendRetryDelaysMs.slice(0, 2)) {
      world.clock.advance(delayMs)
      await whatsApp.settle()
    }
    world.baseUrls.whatsAppSimulator = whatsApp.simulator.graphBaseUrl
    await meta.stop()
    expect(meta.seen).toHaveLength(4)
    expect(await runOf(runId)).toMatchObject({
      status: 'running',
      stepId: 'again',
      sendFailures: 1,
    })
  })

  test('is not sent again when a receipt shows that it went out after all', async () => {
    const shop = await whatsApp.openShop()
    const phone = numberThatEndsIn('500500')
    const runId = await shop.order(phone)
    await whatsApp.settle()
    const [refused] = await messagesOf(runId)
    expect(refused).toMatchObject({ status: 'failed', errorCode: '131000' })
    await tellStatus(shop, {
      id: 'wamid.late',
      status: 'sent',
      biz_opaque_callback_data: refused!.id,
    })
    world.clock.advance(5 * SECOND_MS)
    await whatsApp.settle()
    expect(refusedFor(phone)).toHaveLength(1)
    expect(await messagesOf(runId)).toMatchObject([
      { status: 'sent', providerMessageId: 'wamid.late', errorCode: null, failedAt: null },
    ])
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
  })
})

describe('a send that the provider refuses for good', () => {
  systemTest('fails the run at once, in the provider’s words', async () => {
    // Our list of templates is behind: WhatsApp has it no more.
    const shop = await whatsApp.openShop({ templates: [approved('another', 'en')] })
    await world.database.db.kysely
      .updateTable('template')
      .set({ name: 'order_ready' })
      .where('channelId', '=', shop.channelId)
      .execute()
    const phone = newPhone()
    const runId = await shop.order(phone)
    await whatsApp.settle()
    expectFailed(shop, runId)
    expect(inEnglish((await runOf(runId)).endDetail)).toMatch(/does not exist.*\(132001\)\.$/)
    expect(await messagesOf(runId)).toMatchObject([{ status: 'failed', errorCode: '132001' }])
    world.clock.advance(60 * MINUTE_MS)
    await whatsApp.settle()
    expect(refusedFor(phone)).toHaveLength(1)
  })

  test.each(['131026', '131049'])(
    'fails the run that waits for a reply when WhatsApp tells of %s later',
    async (code) => {
      const shop = await whatsApp.openShop()
      const phone = numberThatEndsIn(code)
      const runId = await shop.order(phone)
      await whatsApp.settle()
      expectFailed(shop, runId)
      expect(inEnglish((await runOf(runId)).endDetail)).toMatch(
        // The receipt may overtake the answer to the send: then the run had not begun to wait.
        new RegExp(
          `^The (message could not be delivered\\. The )?provider refused: .+ \\(${code}\\)\\.$`,
        ),
      )
      expect(await messagesOf(runId)).toMatchObject([
        { status: 'failed', errorCode: code, failedAt: expect.any(Date) },
      ])
      expect(sentTo(phone)).toHaveLength(1)
      expect(shop.events('message.received')).toEqual([])
    },
  )

  test.each(['before', 'after'])(
    'takes the exit for that of the step that sent it, told %s the run waits; once',
    async (when) => {
      const shop = await whatsApp.openShop({
        steps: {
          ...ORDER_READY_STEPS,
          tell: { ...ORDER_READY_STEPS.tell, onNotSent: 'mark' },
          mark: { kind: 'set_variable', name: 'reached', text: 'no', next: 'call' },
          // It waits for who is called by phone, and says nothing by which they could answer.
          call: { ...ORDER_READY_STEPS.ask, timeoutMinutes: 60 },
        },
      })
      const failed = { id: 'wamid.gone', status: 'failed', errors: [{ code: 131026 }] }
      const meta = await startMeta((response, { body }) => {
        const reference = { biz_opaque_callback_data: body.biz_opaque_callback_data }
        const told = when === 'before' ? tellStatus(shop, { ...failed, ...reference }) : undefined
        void Promise.resolve(told).then(() => response.end(accepted('wamid.gone')))
      })
      world.baseUrls.whatsAppSimulator = meta.url
      const runId = await shop.order(newPhone())
      await whatsApp.settle()
      world.baseUrls.whatsAppSimulator = whatsApp.simulator.graphBaseUrl
      await meta.stop()
      for (let time = 0; time < 2; time += 1) {
        await tellStatus(shop, failed)
        await whatsApp.settle()
        expect(await runOf(runId)).toMatchObject({ status: 'waiting', stepId: 'call' })
      }
      expect(await stepsOf(runId)).toMatchObject([
        { stepId: 'tell', status: 'failed', detail: expect.stringContaining('131026') as string },
        { stepId: 'mark', status: 'done' },
      ])
      world.clock.advance(60 * MINUTE_MS)
      await whatsApp.settle()
      expect(await runOf(runId)).toMatchObject({ status: 'completed', endReason: 'completed' })
      const variables = shop.events('flow.completed').map(({ data }) => data.run)
      expect(variables).toMatchObject([{ variables: { reached: 'no' } }])
    },
  )

  test('that WhatsApp tells of before it answers the send fails the run too', async () => {
    const shop = await whatsApp.openShop()
    const meta = await startMeta((response, { body }) => {
      void tellStatus(shop, {
        id: 'wamid.quick',
        status: 'failed',
        biz_opaque_callback_data: body.biz_opaque_callback_data,
        errors: [{ code: 131026, title: 'Message undeliverable' }],
      }).then(() => response.end(accepted('wamid.quick')))
    })
    world.baseUrls.whatsAppSimulator = meta.url
    const runId = await shop.order(newPhone())
    await whatsApp.settle()
    world.baseUrls.whatsAppSimulator = whatsApp.simulator.graphBaseUrl
    await meta.stop()
    expect(await runOf(runId)).toMatchObject({ status: 'failed' })
    expectFailed(shop, runId)
  })

  test('told of after the message was delivered changes nothing', async () => {
    const shop = await whatsApp.openShop()
    const phone = newPhone()
    const runId = await shop.order(phone)
    await whatsApp.settle()
    const [{ wamid } = { wamid: '' }] = sentTo(phone)
    await tellStatus(shop, { id: wamid, status: 'failed', errors: [{ code: 131026 }] })
    await whatsApp.settle()
    expect(await messagesOf(runId)).toMatchObject([{ status: 'delivered', failedAt: null }])
    expect(await runOf(runId)).toMatchObject({ status: 'waiting' })
  })

  test('does not end a run whose later message is the one that waits for a reply', async () => {
    const shop = await whatsApp.openShop({
      steps: {
        ...ORDER_READY_STEPS,
        tell: { ...ORDER_READY_STEPS.tell, next: 'again' },
        again: { ...ORDER_READY_STEPS.tell },
      },
    })
    const meta = await startMeta((response) => response.end(accepted(`wamid.m${meta.seen.length}`)))
    world.baseUrls.whatsAppSimulator = meta.url
    const runId = await shop.order(newPhone())
    await whatsApp.settle()
    world.baseUrls.whatsAppSimulator = whatsApp.simulator.graphBaseUrl
    await meta.stop()
    await tellStatus(shop, { id: 'wamid.m1', status: 'failed', errors: [{ code: 131026 }] })
    await whatsApp.settle()
    expect((await messagesOf(runId)).map(({ status }) => status)).toEqual(['failed', 'accepted'])
    expect(await runOf(runId)).toMatchObject({ status: 'waiting' })
    await tellStatus(shop, { id: 'wamid.m2', status: 'failed', errors: [{ code: 131026 }] })
    await whatsApp.settle()
    expectFailed(shop, runId)
  })
})

describe('a send whose answer is lost', () => {
  test('is never sent again; the receipt that names it takes the run on', async () => {
    const shop = await whatsApp.openShop()
    const phone = numberThatEndsIn('000000')
    const runId = await shop.order(phone)
    await world.service.processAll()
    expect(sentTo(phone)).toHaveLength(1)
    await whatsApp.settle()
    const [message, ...more] = await messagesOf(runId)
    expect(more).toEqual([])
    expect(message).toMatchObject({
      status: 'delivered',
      providerMessageId: sentTo(phone)[0]!.wamid,
    })
    expect(sentTo(phone)[0]!.ourReference).toBe(message!.id)
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
    expect((await stepsOf(runId))[0]).toMatchObject({ stepId: 'tell', status: 'done' })
    whatsApp.simulator.tapButton({ from: phone })
    await whatsApp.settle()
    expect(shop.events('flow.completed')).toHaveLength(1)
    expect(sentTo(phone)).toHaveLength(1)
  })

  test('and of which nothing is heard for 10 minutes fails the run, which says so', async () => {
    const shop = await whatsApp.openShop()
    const phone = '+966513000000'
    shop.sendWebhooksTo('http://127.0.0.1:9/')
    const runId = await shop.order(phone)
    await whatsApp.settle()
    expect(await messagesOf(runId)).toMatchObject([{ status: 'unknown' }])
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'sent' })
    world.clock.advance(RUN_LIMITS.unknownSendMs - 1)
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting' })
    world.clock.advance(1)
    await whatsApp.settle()
    expectFailed(shop, runId)
    expect(inEnglish((await runOf(runId)).endDetail)).toMatch(
      /never told whether this message went out/,
    )
    expect(sentTo(phone)).toHaveLength(1)

    // What WhatsApp tells in the end still belongs to the message, but the run is over.
    const [{ wamid, ourReference } = { wamid: '', ourReference: '' }] = sentTo(phone)
    await tellStatus(shop, { id: wamid, status: 'read', biz_opaque_callback_data: ourReference })
    await whatsApp.settle()
    expect(await messagesOf(runId)).toMatchObject([
      { status: 'read', providerMessageId: wamid, deliveredAt: expect.any(Date) },
    ])
    expectFailed(shop, runId)
  })

  test('because its worker died is taken up after the lease, and never sent again', async () => {
    const shop = await whatsApp.openShop()
    const phone = newPhone()
    const runId = await shop.order(phone)
    await whatsApp.settle()
    const [{ id: messageId } = { id: '' }] = await messagesOf(runId)
    // As a worker leaves it that dies between the write-ahead and the answer.
    const { kysely } = world.database.db
    await kysely
      .updateTable('message')
      .set({ status: 'sending', providerMessageId: null, sentAt: null, deliveredAt: null })
      .where('id', '=', messageId)
      .execute()
    await kysely
      .updateTable('flowRunStep')
      .set({ status: 'started', endedAt: null })
      .where('runId', '=', runId)
      .execute()
    await kysely
      .updateTable('flowRun')
      .set({
        status: 'running',
        stepId: 'tell',
        waitKind: null,
        waitUntil: null,
        wakeAt: world.clock.now(),
        claimId: world.service.context.ids.uuid(),
        claimedUntil: new Date(world.clock.now().getTime() + RUN_LIMITS.leaseMs),
      })
      .where('id', '=', runId)
      .execute()
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'running' })
    world.clock.advance(RUN_LIMITS.leaseMs + 1)
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'sent' })
    expect(await messagesOf(runId)).toMatchObject([{ status: 'unknown' }])
    expect(sentTo(phone)).toHaveLength(1)
    await tellStatus(shop, { id: 'wamid.x', status: 'sent', biz_opaque_callback_data: messageId })
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
    expect(sentTo(phone)).toHaveLength(1)
  })
})
