/**
 * Changes while a hook's request is answered: its URL is deleted, or a message begins the customer's
 * conversation. Spec: Hooks › Order of checks; Hooks › Effects of an accepted request.
 */
import { expect, test } from 'vitest'
import { createVersionReader } from '../../src/modules/flows/design/load-version.ts'
import { createHookBatcher, HOOK_BATCHER } from '../../src/modules/hooks/hook-batcher.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { openWorld } from '../support/open-world.ts'
import { addContact } from '../support/records/contacts.ts'
import { addConversation } from '../support/records/conversations.ts'
import { deleteHook, whatIsStored } from '../support/records/hooks.ts'
import { holdLock } from '../support/records/locks.ts'
import { createOwnShop } from '../support/shop.ts'

const world = await openWorld({ databasePool: '8' })
const answer = createHookBatcher(
  { ...world.service.context, readVersion: createVersionReader() },
  { ...HOOK_BATCHER, giveUpMs: 15_000 },
)

/** Prepares two shops whose hooks have been used, and requests to both in one batch. */
async function twoShops() {
  const [leaving, staying] = [await createOwnShop(world), await createOwnShop(world)]
  const askBoth = (body: unknown = ORDER) =>
    Promise.all(
      [leaving, staying].map(({ hookToken: token }) =>
        answer({ token, idempotencyKey: undefined, body: Buffer.from(JSON.stringify(body)) }),
      ),
    )
  // Their counters and kept shapes exist.
  await askBoth()
  return { leaving, staying, askBoth }
}

test.each([
  ['is being counted', ORDER, 'accepted'],
  ['is refused', { customer: 'none' }, 'invalid_phone'],
])('answers 404 when the hook URL is deleted while its request %s', async (_, body, ofOther) => {
  const { leaving, askBoth } = await twoShops()
  const lock = await holdLock(world, 'nothing')
  await deleteHook(lock.inside, leaving)
  const asked = askBoth(body)
  await lock.blocks('the counting')
  await lock.release()
  expect(await asked).toMatchObject([{ status: 'not_found' }, { status: ofOther }])
})

test('answers 404 when the hook URL is deleted after its request was counted and before it is written', async () => {
  const { leaving, staying, askBoth } = await twoShops()
  const { companyId } = staying
  const lock = await holdLock(world, { companyId, phone: ORDER.customer.phone })
  const asked = askBoth()
  await lock.blocks('the writing')
  await deleteHook(world, leaving)
  await lock.release()
  expect(await asked).toMatchObject([{ status: 'not_found' }, { status: 'accepted' }])
})

test('uses a conversation that a message begins at the same moment under another id', async () => {
  const shop = await createOwnShop(world)
  const contactId = await addContact(world, shop, { phone: ORDER.customer.phone })
  const lock = await holdLock(world, { contactId })
  const asked = postHook(shop.hookUrl)
  await lock.blocks('the hook')
  await addConversation(lock.inside, shop, { contactId, filedUnder: 'US.1' })
  await lock.release()
  expect(await asked).toMatchObject({ http: 202 })
  expect(await whatIsStored(world, shop)).toMatchObject({ runs: 1, conversations: 1 })
})
