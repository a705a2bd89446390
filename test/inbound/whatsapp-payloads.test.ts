/**
 * Every recorded WhatsApp payload, posted signed to a real service: what it raises and what it does
 * not, as the payloads' own index says. The payloads are other people's data and stand beside the
 * project; without them this file says so and passes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../support/service.ts'
import { takeInPayload } from '../support/take-in-payload.ts'
import { loadWhatsAppPayloads, type WhatsAppPayloads } from '../support/whatsapp-payloads.ts'

const recorded = loadWhatsAppPayloads()

if (recorded) checkAll(recorded)
else test('the recorded payloads are not beside this clone', () => expect(recorded).toBeNull())

function checkAll(all: WhatsAppPayloads) {
  describe('a recorded WhatsApp payload raises what its index says', () => {
    let world: World
    let serial = 0
    beforeAll(async () => {
      world = await createWorld()
    })
    afterAll(() => world.close())

    test.each(all.payloads)('$file', async (payload) => {
      serial += 1
      const { actual, expected } = await takeInPayload(world, all, payload)
      expect(actual).toEqual(expected)
    })

    test('all of them were there', () => {
      expect(serial).toBe(all.payloads.length)
    })
  })
}
