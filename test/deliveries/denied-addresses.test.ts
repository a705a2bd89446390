/** Addresses that no delivery reaches. */
import { expect, onTestFinished, test } from 'vitest'
import { addressLedTo } from '../../src/rules/addresses/public-address.ts'
import { raisePings } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { putEndpoint } from '../support/records/endpoints.ts'
import { createWorld } from '../support/test-service.ts'
import { createOwnShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

// One list allows the receiver's address, and the other denies it.
const world = await openWorld({ egressDeny: '127.0.0.1/32' })

test.each([
  ['range that the operator denies, whatever else lets it through,', world.receiver.url],
  ['range that is not public', 'https://192.168.1.1/'],
])('an address of a %s is not reached, and the attempt says so', async (_, url) => {
  const shop = await createOwnShop(world)
  await putEndpoint(world, shop, { url })
  await raisePings(world, shop)
  await world.service.processAll()
  expect(world.receiver.received).toEqual([])
  const [delivery] = await deliveriesOf(world, shop)
  expect(delivery).toMatchObject({ state: 'pending', attempts: 1, lastError: 'address_refused' })
  expect(await attemptsOf(world, delivery!.id)).toMatchObject([{ error: 'address_refused' }])
})

systemTest.each([
  ['NAT64', '64:ff9b::808:808'],
  ['ISATAP', '2a01:4f8:1:1:0:5efe:808:808'],
])('an address of %s, which leads to IPv4, is not reached either', async (_, address) => {
  const elsewhere = await createWorld({
    egressDeny: '8.8.8.0/24',
    resolve: () => Promise.resolve([address]),
  })
  onTestFinished(() => elsewhere.close())
  const shop = await createOwnShop(elsewhere)
  await putEndpoint(elsewhere, shop, { url: 'https://shop.example/events' })
  await raisePings(elsewhere, shop)
  await elsewhere.service.processAll()
  expect(await deliveriesOf(elsewhere, shop)).toMatchObject([{ lastError: 'address_refused' }])
})

test.each([
  ['64:ff9b::808:808', '8.8.8.8'],
  ['64:ff9b::10.0.0.1', '10.0.0.1'],
  ['2a01:4f8:1:1:200:5efe:10.0.0.1', '10.0.0.1'],
  ['2a01:4f8::1', '2a01:4f8::1'],
  ['8.8.8.8', '8.8.8.8'],
  ['shop.example', 'shop.example'],
])('%s leads to %s', (address, to) => expect(addressLedTo(address)).toBe(to))
