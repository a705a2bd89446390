/** A customer's message answers one run, and each answer counts once. */
import { describe, expect, test } from 'vitest'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { accepted } from '../channels/loopback-meta.ts'
import { answerSends } from '../support/provider-answers.ts'
import { repliesTo, runOf } from '../support/records/runs.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { newPhone, type ConnectedShop } from '../support/simulator.ts'
import { customerWrites, newWamid } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWhatsApp } from '../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const statusOf = async (runId: string) => (await runOf(world, runId)).status
const templatesTo = (phone: string) => whatsApp.sentTo(phone).filter(({ template }) => template)
const answersOf = (shop: ConnectedShop) =>
  shop.events('flow.completed').map(({ data }) => {
    const { id, variables } = data.run as { id: string; variables: Record<string, string | null> }
    return { id, answer: variables.answer }
  })

/** Starts two runs of one customer that both wait, the second a minute later. */
async function twoWaiting() {
  const shop = await whatsApp.openShop()
  const phone = newPhone()
  const first = await shop.order(phone)
  await whatsApp.settle()
  world.clock.advance(MINUTE_MS)
  const second = await shop.order(phone)
  await whatsApp.settle()
  const [firstTemplate = '', secondTemplate = ''] = templatesTo(phone).map(({ wamid }) => wamid)
  return { shop, phone, first, second, firstTemplate, secondTemplate }
}

/** Starts a run of a customer that waits for the reply. */
async function oneWaiting(steps: Record<string, unknown> = ORDER_READY_STEPS) {
  const shop = await whatsApp.openShop({ steps })
  const phone = newPhone()
  const runId = await shop.order(phone)
  await whatsApp.settle()
  return { shop, phone, runId }
}
const { ask } = ORDER_READY_STEPS

describe('several runs may wait in one conversation', () => {
  test('a reply that presses a button of a template goes to that template’s run', async () => {
    const { shop, first, second, firstTemplate } = await twoWaiting()
    whatsApp.simulator.tapButton({ messageId: firstTemplate, buttonIndex: 1 })
    await whatsApp.settle()
    expect(answersOf(shop)).toEqual([{ id: first, answer: 'Later' }])
    expect(await statusOf(second)).toBe('waiting')
  })

  systemTest('a reply to the template of a run that has ended answers no other run', async () => {
    const { shop, first, second, secondTemplate } = await twoWaiting()
    whatsApp.simulator.tapButton({ messageId: secondTemplate })
    await whatsApp.settle()
    whatsApp.simulator.tapButton({ messageId: secondTemplate, buttonIndex: 1 })
    await whatsApp.settle()
    expect(answersOf(shop)).toEqual([{ id: second, answer: 'Yes, today' }])
    expect(await statusOf(first)).toBe('waiting')
    expect(shop.events('message.received')).toHaveLength(2)
  })
})

describe('a reply', () => {
  test('is kept for its run if it arrives while that is in progress', async () => {
    const shop = await whatsApp.openShop()
    const phone = newPhone()
    // The customer is quicker than WhatsApp's answer to the send.
    const { result: runId } = await answerSends(
      { world, whatsApp },
      (response) => {
        const early = { from: phone, text: 'early', at: world.clock.now() }
        void customerWrites(world, shop, early).then(() => response.end(accepted(newWamid())))
      },
      () => shop.order(phone),
    )
    expect(answersOf(shop)).toEqual([{ id: runId, answer: 'early' }])
  })

  test('is not an answer if it comes before the run has sent anything', async () => {
    const shop = await whatsApp.openShop()
    const phone = newPhone()
    const runId = await shop.order(phone)
    await customerWrites(world, shop, { from: phone, text: 'hi' })
    await whatsApp.settle()
    expect(await statusOf(runId)).toBe('waiting')
  })

  systemTest('resumes its run once, however many arrive at the same moment', async () => {
    const { shop, phone, runId } = await oneWaiting({
      ...ORDER_READY_STEPS,
      ask: { ...ask, next: 'thank' },
      thank: { kind: 'send_message', text: 'Got it: {{vars.answer}}', next: null },
    })
    const texts = ['one', 'two', 'three', 'four', 'five', 'six']
    whatsApp.simulator.sendText({ from: phone, phoneNumberId: shop.phoneNumberId, text: 'zero' })
    await Promise.all(texts.map((text) => customerWrites(world, shop, { from: phone, text })))
    await whatsApp.settle()
    expect(answersOf(shop)).toMatchObject([{ id: runId }])
    expect(whatsApp.sentTo(phone).filter(({ type }) => type === 'text')).toHaveLength(1)
    expect(shop.events('message.received')).toHaveLength(7)
  })

  systemTest('is read in its turn, however many come together', async () => {
    const steps = { ...ORDER_READY_STEPS, ask: { ...ask, next: 'ask' } }
    const { shop, phone, runId } = await oneWaiting(steps)
    const location = { latitude: 24.7, longitude: 46.6 }
    const many = Array.from({ length: RUN_LIMITS.repliesPerAdvance + 10 }, () => ({
      from: phone,
      content: { type: 'location', location },
    }))
    await customerWrites(world, shop, ...many)
    await whatsApp.settle()
    const read = (await repliesTo(world, runId)).filter(({ consumedAt }) => consumedAt !== null)
    expect(read).toHaveLength(many.length)
  })

  systemTest('with media answers with its caption, or with nothing', async () => {
    const shop = await whatsApp.openShop()
    const [voice, image] = [newPhone(), newPhone()]
    const runs = [await shop.order(voice), await shop.order(image)]
    await whatsApp.settle()
    const { phoneNumberId } = shop
    whatsApp.simulator.sendSample({ from: voice, phoneNumberId, kind: 'voice' })
    whatsApp.simulator.sendSample({ from: image, phoneNumberId, kind: 'image' })
    await whatsApp.settle()
    expect(answersOf(shop)).toContainEqual({ id: runs[0], answer: null })
    expect(answersOf(shop)).toContainEqual({ id: runs[1], answer: 'A photo of the box' })
  })
})
