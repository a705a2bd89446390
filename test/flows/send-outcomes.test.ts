/** Runs whose send WhatsApp refuses, does not answer, or reports as failed later. */
import { describe, expect, test } from 'vitest'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { accepted } from '../channels/loopback-meta.ts'
import { answerSends } from '../support/provider-answers.ts'
import { messagesOf as messagesIn } from '../support/records/messages.ts'
import { runOf as runWith, runStepsOf } from '../support/records/runs.ts'
import { putTemplates } from '../support/records/templates.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { approved, newPhone, type ConnectedShop } from '../support/simulator.ts'
import { tellStatus } from '../support/whatsapp-webhook.ts'
import { inEnglish } from '../support/in-english.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWhatsApp } from '../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp({}, { webhooks: { attempts: 1 } })

const runOf = (id: string) => runWith(world, id)
const messagesOf = (runId: string) => messagesIn(world, { runId })
const stepsOf = (runId: string) => runStepsOf(world, runId)
const endOf = async (runId: string) => inEnglish((await runOf(runId)).endDetail)
const { sentTo } = whatsApp
const refusedFor = (phone: string) => whatsApp.simulator.refusals().filter(({ to }) => to === phone)

/** The simulator ends a send to a number with the error code in its last digits. */
const numberThatEndsIn = (code: string) => `+966512${code}`

function expectFailed(shop: ConnectedShop, runId: string) {
  expect(shop.events('flow.completed')).toEqual([])
  expect(shop.events('flow.failed')).toMatchObject([
    { data: { run: { id: runId, status: 'failed', endReason: 'error' } } },
  ])
}

/** Starts a run for a customer, and processes all that follows immediately. */
async function order(shop: ConnectedShop, phone = newPhone()): Promise<string> {
  const runId = await shop.order(phone)
  await whatsApp.settle()
  return runId
}
/** Starts a run whose sends WhatsApp answers in this way. */
async function orderAnswered(shop: ConnectedShop, answer: Parameters<typeof answerSends>[1]) {
  const during = () => shop.order(newPhone())
  return (await answerSends({ world, whatsApp }, answer, during)).result
}

/** Lets WhatsApp report that a message could not be delivered. */
async function tellFailed(shop: ConnectedShop, id: string): Promise<void> {
  await tellStatus(world, shop, { id, status: 'failed', errors: [{ code: 131026 }] })
  await whatsApp.settle()
}

/** A template, a second one, and a wait for the reply. */
const TWO_TEMPLATES = {
  ...ORDER_READY_STEPS,
  tell: { ...ORDER_READY_STEPS.tell, next: 'again' },
  again: { ...ORDER_READY_STEPS.tell },
}

describe('a send that the provider refuses for now', () => {
  systemTest('is tried again after 5 s, 30 s, 2 min and 10 min, then the run fails', async () => {
    const shop = await whatsApp.openShop()
    const phone = numberThatEndsIn('130429')
    const runId = await order(shop, phone)
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
    expect(await endOf(runId)).toMatch(/^The provider rejected it: .+ \(130429\)\.$/)
    expect(await messagesOf(runId)).toHaveLength(5)
    expect((await stepsOf(runId)).map(({ status }) => status)).toEqual(Array(5).fill('failed'))
  })

  test('continues when the provider accepts it again, and its earlier refusals are forgotten', async () => {
    const shop = await whatsApp.openShop()
    world.baseUrls.simulated.whatsApp = 'http://127.0.0.1:9'
    const phone = newPhone()
    const runId = await order(shop, phone)
    expect(await runOf(runId)).toMatchObject({ status: 'running', sendFailures: 1 })
    world.baseUrls.simulated.whatsApp = whatsApp.simulator.baseUrl
    world.clock.advance(5 * SECOND_MS)
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', sendFailures: 0 })
    expect(sentTo(phone)).toHaveLength(1)
    whatsApp.simulator.tapButton({ from: phone })
    await whatsApp.settle()
    expect(shop.events('flow.completed')).toHaveLength(1)
  })

  test('is not sent again when a receipt shows that it was sent after all', async () => {
    const shop = await whatsApp.openShop()
    const phone = numberThatEndsIn('500500')
    const runId = await order(shop, phone)
    const [refused] = await messagesOf(runId)
    expect(refused).toMatchObject({ status: 'failed', errorCode: '131000' })
    const reference = { biz_opaque_callback_data: refused!.id }
    await tellStatus(world, shop, { id: 'wamid.late', status: 'sent', ...reference })
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
  systemTest('fails the run immediately, in the provider’s words', async () => {
    // The service's list of templates is outdated: WhatsApp no longer has this one.
    const shop = await whatsApp.openShop({ templates: [approved('another', 'en')] })
    await putTemplates(world, shop, { name: 'order_ready' })
    const phone = newPhone()
    const runId = await order(shop, phone)
    expectFailed(shop, runId)
    expect(await endOf(runId)).toMatch(/does not exist.*\(132001\)\.$/)
    expect(await messagesOf(runId)).toMatchObject([{ status: 'failed', errorCode: '132001' }])
    world.clock.advance(60 * MINUTE_MS)
    await whatsApp.settle()
    expect(refusedFor(phone)).toHaveLength(1)
  })

  test.each(['131026', '131049'])(
    'fails the run that waits for a reply when WhatsApp reports %s later',
    async (code) => {
      const shop = await whatsApp.openShop()
      const phone = numberThatEndsIn(code)
      const runId = await order(shop, phone)
      expectFailed(shop, runId)
      expect(await endOf(runId)).toMatch(
        // The receipt may overtake the answer to the send: then the run had not begun to wait.
        new RegExp(
          `^The (message couldn’t be delivered\\. The )?provider rejected it: .+ \\(${code}\\)\\.$`,
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
    'takes the exit for failed sends of its step once, whether reported %s the run waits',
    async (when) => {
      const shop = await whatsApp.openShop({
        steps: {
          ...ORDER_READY_STEPS,
          tell: { ...ORDER_READY_STEPS.tell, onNotSent: 'mark' },
          mark: { kind: 'set_variable', name: 'reached', text: 'no', next: 'call' },
          // The step waits for a customer who is phoned, and sends nothing that they could answer.
          call: { ...ORDER_READY_STEPS.ask, timeoutMinutes: 60 },
        },
      })
      const failed = { id: 'wamid.gone', status: 'failed', errors: [{ code: 131026 }] }
      const runId = await orderAnswered(shop, (response, { body }) => {
        const reference = { biz_opaque_callback_data: body.biz_opaque_callback_data }
        const told =
          when === 'before' ? tellStatus(world, shop, { ...failed, ...reference }) : undefined
        void Promise.resolve(told).then(() => response.end(accepted('wamid.gone')))
      })
      for (let time = 0; time < 2; time += 1) {
        await tellStatus(world, shop, failed)
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

  systemTest('does not end a run that waits for the reply to a later message', async () => {
    const shop = await whatsApp.openShop({ steps: TWO_TEMPLATES })
    let sends = 0
    const runId = await orderAnswered(shop, (response) =>
      response.end(accepted(`wamid.m${++sends}`)),
    )
    await tellFailed(shop, 'wamid.m1')
    expect((await messagesOf(runId)).map(({ status }) => status)).toEqual(['failed', 'accepted'])
    expect(await runOf(runId)).toMatchObject({ status: 'waiting' })
    await tellFailed(shop, 'wamid.m2')
    expectFailed(shop, runId)
  })
})

describe('a send whose answer is lost', () => {
  test('is never sent again; the receipt that names it continues the run', async () => {
    const shop = await whatsApp.openShop()
    const phone = numberThatEndsIn('000000')
    const runId = await shop.order(phone)
    await world.service.processAll()
    expect(sentTo(phone)).toHaveLength(1)
    await whatsApp.settle()
    const { wamid: providerMessageId, ourReference: id } = sentTo(phone)[0]!
    expect(await messagesOf(runId)).toMatchObject([{ id, status: 'delivered', providerMessageId }])
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
    expect((await stepsOf(runId))[0]).toMatchObject({ stepId: 'tell', status: 'done' })
    whatsApp.simulator.tapButton({ from: phone })
    await whatsApp.settle()
    expect(shop.events('flow.completed')).toHaveLength(1)
    expect(sentTo(phone)).toHaveLength(1)
  })

  test('fails the run if no receipt comes for 10 minutes, and the run says so', async () => {
    const shop = await whatsApp.openShop()
    const phone = '+966513000000'
    shop.sendWebhooksTo('http://127.0.0.1:9/')
    const runId = await order(shop, phone)
    expect(await messagesOf(runId)).toMatchObject([{ status: 'unknown' }])
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'sent' })
    world.clock.advance(RUN_LIMITS.unknownSendMs - 1)
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting' })
    world.clock.advance(1)
    await whatsApp.settle()
    expectFailed(shop, runId)
    expect(await endOf(runId)).toMatch(/never confirmed whether this message was sent/)
    expect(sentTo(phone)).toHaveLength(1)

    // WhatsApp's late report still belongs to the message, but the run has ended.
    const [{ wamid, ourReference } = { wamid: '', ourReference: '' }] = sentTo(phone)
    await tellStatus(world, shop, {
      id: wamid,
      status: 'read',
      biz_opaque_callback_data: ourReference,
    })
    await whatsApp.settle()
    expect(await messagesOf(runId)).toMatchObject([
      { status: 'read', providerMessageId: wamid, deliveredAt: expect.any(Date) },
    ])
    expectFailed(shop, runId)
  })
})
