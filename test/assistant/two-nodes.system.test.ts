/** Two processes of the service on one database. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { heardBy, startAssisted } from '../support/assistant.ts'
import { createTestDatabase } from '../support/database.ts'
import { say } from '../support/model-turns.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { createWorldOn } from '../support/world.ts'

test('messages that reach both processes lead to one request with all of them, and one reply', async () => {
  const database = await createTestDatabase()
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
  const assisted = await startAssisted(database, { encryptionKeys })
  const { world, model } = assisted
  const other = await createWorldOn(
    { ...database, drop: async () => {} },
    {
      clock: world.clock,
      providerBaseUrls: world.baseUrls,
      encryptionKeys,
      operatorModel: () => ({
        kind: 'openai_compatible',
        modelName: 'scripted',
        baseUrl: model.baseUrl,
        key: null,
        isScripted: false,
      }),
    },
  )
  try {
    const shop = await assisted.openShop()
    const sara = shop.customer()
    await sara.says('Hi')
    await assisted.pass(3_000)
    world.clock.advance(60_000)
    model.otherwise = say('We open at nine.')
    const texts = ['Hello', 'when do you', 'open', 'on Fridays?', 'and on', 'Saturdays?']
    await Promise.all(
      texts.map((text, nth) => {
        const at = new Date(world.clock.now().getTime() + nth)
        const change = written({ from: sara.phone.slice(1), text, id: `wamid.burst-${nth}`, at })
        return postWebhook(nth % 2 === 0 ? world : other, webhookOf(shop, [change]))
      }),
    )
    world.clock.advance(3_000)
    const both = [world.service, other.service]
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(both.map((service) => service.processAll()))
      await assisted.whatsApp.settle()
      world.clock.advance(1_000)
    }
    expect(model.asked).toHaveLength(2)
    expect(heardBy(model.asked[1]!).slice(1).toSorted()).toEqual(texts.toSorted())
    expect(await sara.got()).toEqual(['Hello.', 'We open at nine.'])
    expect(await sara.replies()).toMatchObject([{ state: 'sent' }, { state: 'sent', epoch: 1 }])
  } finally {
    await other.close()
    await assisted.close()
  }
})
