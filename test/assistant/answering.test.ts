/** The time of the assistant's answer, the part of the conversation that the model gets, and the language. */
import { describe, expect, test } from 'vitest'
import { LIVE_REPLY } from '../../src/modules/assistant/live-reply.ts'
import { createLiveChanges } from '../../src/modules/live-updates/change-stream.ts'
import { heardBy, openAssisted, toldTo } from '../support/assistant.ts'
import { followLive, lookUntil } from '../support/live.ts'
import { say } from '../support/model-turns.ts'
import { contactsOf, describeContact } from '../support/records/contacts.ts'
import { conversationOf } from '../support/records/conversations.ts'
import { setMessageStatus } from '../support/records/messages.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'
import { waitUntil } from '../support/wait.ts'
import { newWamid, postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'

const assisted = await openAssisted()
const { world } = assisted
const shop = await assisted.openShop()

const modelRequests = () => assisted.model.asked

/** Waits until the model has been asked `times` times. The returned function lets it answer, and resolves when all is done. */
async function thinking(times: number): Promise<() => Promise<void>> {
  const release = assisted.model.hold()
  const settled = assisted.whatsApp.settle()
  await waitUntil('the model is asked', () => modelRequests().length === times)
  return async () => {
    release()
    await settled
  }
}

describe('answering', () => {
  systemTest('a customer who asks gets one reply, after 3 s of quiet', async () => {
    const sara = shop.customer()
    assisted.model.script(say('We open at nine.'))
    await sara.says('When do you open?')
    await assisted.pass(2_999)
    expect(modelRequests()).toHaveLength(0)
    await assisted.pass(1)
    expect(modelRequests()).toHaveLength(1)
    expect(await sara.got()).toEqual(['We open at nine.'])
    expect(await sara.replies()).toMatchObject([{ state: 'sent' }])
    await assisted.pass(60_000)
    expect(modelRequests()).toHaveLength(1)
  })

  test('an edited message is answered in its current form, and a deleted one is not sent to the model', async () => {
    const sara = shop.customer()
    const from = sara.phone.slice(1)
    const [edited, deleted] = [newWamid(), newWamid()]
    const tell = (...changes: Parameters<typeof webhookOf>[1]) =>
      postWebhook(world, webhookOf(shop, changes))
    await tell(
      written({ from, id: edited, text: 'Is the gren one there?' }),
      written({ from, id: deleted, text: 'my code is 5512' }),
    )
    const message = { type: 'text', text: { body: 'Is the green one there?' } }
    const edit = { original_message_id: edited, message }
    const revoke = { original_message_id: deleted }
    await tell(
      written({ from, content: { type: 'edit', edit } }),
      written({ from, content: { type: 'revoke', revoke } }),
    )
    assisted.model.script(say('It is.'))
    await assisted.pass(3_000)
    expect(modelRequests().map(heardBy)).toEqual([
      ['Is the green one there?', '(The customer sent a message, and deleted it.)'],
    ])
    expect(toldTo(modelRequests()[0]!)).not.toMatch(/5512|gren /)
    // A conversation whose only message was deleted gets no reply.
    const noor = shop.customer()
    const only = newWamid()
    await tell(written({ from: noor.phone.slice(1), id: only, text: 'wrong shop' }))
    const content = { type: 'revoke', revoke: { original_message_id: only } }
    await tell(written({ from: noor.phone.slice(1), content }))
    await assisted.pass(3_000)
    expect(modelRequests()).toHaveLength(1)
    expect(await noor.replies()).toMatchObject([{ state: 'cancelled' }])
    expect(await noor.handovers()).toEqual([])
  })

  systemTest('three messages 2 s apart are one request with all three, and one reply', async () => {
    const sara = shop.customer()
    const texts = ['Hello', 'do you have', 'a blue one?']
    for (const text of texts) {
      await sara.says(text)
      await assisted.pass(2_000)
    }
    expect(modelRequests()).toHaveLength(0)
    await assisted.pass(1_000)
    expect(modelRequests().map(heardBy)).toEqual([texts])
    expect(await sara.got()).toHaveLength(1)
  })

  systemTest(
    'a message every 2 s for 30 s gets a first reply after 15 s of gathering',
    async () => {
      const sara = shop.customer()
      for (let second = 0; second < 15; second += 2) {
        await sara.says(`word ${second}`)
        await assisted.pass(second === 14 ? 999 : 2_000)
      }
      expect(modelRequests()).toHaveLength(0)
      await assisted.pass(1)
      expect(modelRequests().map((one) => heardBy(one).length)).toEqual([8])
      expect(await sara.got()).toHaveLength(1)
    },
  )

  test('a tapped button is answered immediately, together with the text before it', async () => {
    const sara = shop.customer()
    await sara.says('I would like')
    world.clock.advance(1_000)
    await sara.presses('menu-1', 'The blue one')
    await assisted.whatsApp.settle()
    expect(modelRequests().map(heardBy)).toEqual([['I would like', 'The blue one']])
  })

  test('a message while the model thinks discards the first answer, and the second request has both', async () => {
    const sara = shop.customer()
    assisted.model.script(say('The first answer'), say('The second answer'))
    await sara.says('How much is it?')
    world.clock.advance(3_000)
    const answered = await thinking(1)
    await sara.says('The blue one I mean')
    await answered()
    await assisted.pass(3_000)
    expect(modelRequests().map(heardBy)[1]).toEqual(['How much is it?', 'The blue one I mean'])
    expect(await sara.got()).toEqual(['The second answer'])
    expect(await sara.replies()).toMatchObject([{ state: 'sent', epoch: 2 }])
  })

  systemTest(
    'a reply that was restarted three times is sent despite a fourth message',
    async () => {
      const sara = shop.customer()
      assisted.model.script(...['one', 'two', 'three', 'four', 'five'].map(say))
      await sara.says('message 0')
      for (let nth = 1; nth <= 4; nth += 1) {
        world.clock.advance(3_000)
        const answered = await thinking(nth)
        world.clock.advance(1)
        await sara.says(`message ${nth}`)
        await answered()
      }
      // One more reply answers the rest.
      await assisted.pass(3_000)
      expect(await sara.got()).toEqual(['four', 'five'])
      expect(heardBy(modelRequests()[3]!)).toHaveLength(4)
      expect(heardBy(modelRequests()[4]!).at(-1)).toBe('message 4')
      expect(await sara.replies()).toMatchObject([{ state: 'sent', epoch: 4 }, { state: 'sent' }])
    },
  )
})

test("members who watch the company get a notice of a reply's beginning, steps and end", async () => {
  const live = createLiveChanges(world.service.context, { reply: LIVE_REPLY })
  const { changed, stop } = await followLive(live, shop, 'agent')
  const sara = shop.customer()
  let before = 0
  const isTold = async () => {
    const [reply] = await sara.replies()
    const { id: conversationId } = await sara.conversation()
    await lookUntil('the change is reported', live, () => changed().length > before)
    expect(changed()).toEqual(changed().map(() => ({ id: reply!.id, conversationId })))
    before = changed().length
  }
  await sara.says('When do you open?')
  await isTold()
  world.clock.advance(3_000)
  const answered = await thinking(1)
  await isTold()
  await answered()
  await isTold()
  stop()
  live.stop()
})

systemDescribe("the model's input", () => {
  test('has the first name, and only the tags and fields that the company permits', async () => {
    const settings = { tags: ['vip'], readableFields: ['size'] }
    const there = await assisted.openShop({ settings })
    const sara = there.customer()
    await sara.says('Do you have it in blue?')
    const [contact] = await contactsOf(world, there)
    await describeContact(world, contact!.id, {
      name: 'Sara Alqahtani',
      tags: ['vip', 'owes-money'],
      fields: { size: 'M', iban: 'SA4420000001234567891234' },
    })
    await assisted.pass(3_000)
    const told = toldTo(modelRequests()[0]!)
    for (const shown of ['Sara', 'tagged: vip', 'size: M']) expect.soft(told).toContain(shown)
    for (const kept of ['Alqahtani', 'owes-money', 'SA44']) expect.soft(told).not.toContain(kept)
  })

  test('has the newest 12,000 characters of the conversation', async () => {
    const sara = shop.customer()
    for (const nth of [1, 2, 3, 4]) {
      await sara.says(`${nth} ${'x'.repeat(3_900)}`)
      world.clock.advance(1_000)
    }
    await assisted.pass(3_000)
    expect(heardBy(modelRequests()[0]!).map((text) => text[0])).toEqual(['2', '3', '4'])
  })

  test('has no message that was never sent', async () => {
    const sara = await shop.asked('When do you open?', say('We open at nine.'), say('At ten.'))
    const { id: conversationId } = await sara.conversation()
    await setMessageStatus(world, { conversationId, direction: 'out' }, 'failed')
    await sara.asks('hello?')
    expect(toldTo(modelRequests()[1]!)).not.toContain('We open at nine.')
  })
})

systemDescribe('the language of an answer to text without a language', () => {
  test.each([
    { contact: null, company: undefined, answered: 'Arabic' },
    { contact: null, company: 'en', answered: 'English' },
    { contact: 'ar', company: 'en', answered: 'Arabic' },
    { contact: 'en', company: 'ar', answered: 'English' },
  ])('contact $contact, company $company: $answered', async (row) => {
    const { contact: language, company, answered } = row
    const there = await assisted.openShop({ settings: company ? { language: company } : {} })
    const sara = there.customer()
    await sara.says('1043 👍')
    const [contact] = await contactsOf(world, there)
    await describeContact(world, contact!.id, { language })
    await assisted.pass(3_000)
    expect(toldTo(modelRequests()[0]!)).toContain(`Answer in ${answered}`)
    // The language of the conversation precedes all settings once the customer has written in one.
    const other = answered === 'Arabic' ? 'English' : 'Arabic'
    await sara.asks(other === 'English' ? 'Hello there' : 'مرحبا')
    await sara.asks('1044')
    expect(toldTo(modelRequests().at(-1)!)).toContain(`Answer in ${other}`)
  })

  test('a location has no language, after a question or alone, since its text is that of the map', async () => {
    const sara = shop.customer()
    assisted.model.script(say('نعم.'), say('نعم.'))
    await sara.says('هل توصلون إلى هنا؟')
    world.clock.advance(100)
    await sara.sends('location')
    await assisted.pass(3_000)
    await sara.sends('location')
    await assisted.pass(3_000)
    expect(modelRequests()).toHaveLength(2)
    for (const one of modelRequests()) {
      expect(toldTo(one)).toContain('Old Town Gate')
      expect(toldTo(one)).toContain('Answer in Arabic')
    }
    const { id } = await sara.conversation()
    expect(await conversationOf(world, id)).toMatchObject({ language: 'ar' })
  })
})

test('a flood of invisible characters is read up to the limits of the history, and cleaned for the model', async () => {
  const sara = shop.customer()
  const flood = `<<${'\t'.repeat(4_060)}\u200b`
  for (let message = 0; message < 18; message++) await sara.says(`${flood} ${message}`)
  await assisted.pass(1_000)
  await sara.asks('When do you open?', say('At nine.'))
  expect(await sara.got()).toEqual(['At nine.'])
  expect(assisted.model.asked).toHaveLength(1)
  const ofCustomer = assisted.model.asked[0]!.body.messages.filter(({ role }) => role === 'user')
  // Each message uses up a third of the history's limit, however little of it remains.
  expect(ofCustomer.length).toBeLessThanOrEqual(3)
  expect(JSON.stringify(ofCustomer)).not.toContain('\\t')
  expect(JSON.stringify(ofCustomer.at(-1))).toContain('When do you open?')
})
