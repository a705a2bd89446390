/** A database that is away for a moment says nothing about a message: the channel is read again, and the message is sent. */
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createChannelCache } from '../../src/modules/channels/channel-cache.ts'
import { createFileLoader } from '../../src/modules/channels/file-to-send.ts'
import { createChannelOpener } from '../../src/modules/channels/open-channel.ts'
import { createChannelAdapters } from '../../src/modules/channels/registry.ts'
import { createFolderStore } from '../../src/modules/files/folder-store.ts'
import { inspectBytes } from '../../src/modules/files/keep-bytes.ts'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { isDatabaseUnavailable } from '../../src/infra/database/is-database-unavailable.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { createDatabaseProxy } from '../support/database-proxy.ts'
import { addFile } from '../support/records/files.ts'
import { newPhone } from '../support/simulator.ts'
import { openWhatsApp } from '../support/open-world.ts'

const PDF = Buffer.from('%PDF-1.4 a receipt')

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const { context, keyRing } = world.service
const adapters = createChannelAdapters({
  ...context,
  baseUrls: world.baseUrls,
  graphApiVersion: 'v25.0',
})
afterAll(() => adapters.whatsapp!.close())

/** Returns what sends on the shop's channel, over a connection to the database that the test can cut. */
async function overProxy() {
  const proxy = await createDatabaseProxy(world.database.connection)
  const { kysely, close } = connectDatabase(proxy.connection)
  const db = { ...context.db, kysely }
  const known = createChannelCache(
    { ...context, db },
    { keyRing, connection: world.database.connection },
  )
  const store = createFolderStore(await temporaryFolder())
  const fileToSend = createFileLoader({ ...context, db }, store)
  const open = createChannelOpener({ known, adapters, fileToSend })
  onTestFinished(async () => {
    await known.close()
    await close()
    await proxy.close()
  })
  return { proxy, store, open: () => open(shop.channelId) }
}

/** Returns a customer who has just written, and may be answered. */
function customer() {
  const from = newPhone()
  whatsApp.simulator.sendText({ from, phoneNumberId: shop.phoneNumberId, text: 'Hi' })
  return { number: from.slice(1) }
}

test('A channel that cannot be read while the database is away refuses no message', async () => {
  const { proxy, open } = await overProxy()
  proxy.shut()
  await expect(open()).rejects.toSatisfy(isDatabaseUnavailable)
  proxy.open()
  const send = await open()
  const result = await send(customer(), { kind: 'text', text: 'Your order is ready.' }, 'o_1')
  expect(result.outcome).toBe('accepted')
})

test('A file of a message is read once the database is back', async () => {
  const { proxy, store, open } = await overProxy()
  const id = await addFile(world, shop, { purpose: 'message', name: 'a.pdf', ...inspectBytes(PDF) })
  await store.put({ companyId: shop.companyId, id }, PDF)
  const send = await open()
  proxy.shut()
  const sending = send(
    customer(),
    { kind: 'media', mediaKind: 'document', fileId: id, caption: null, fileName: 'a.pdf' },
    'o_2',
  )
  proxy.open()
  expect((await sending).outcome).toBe('accepted')
})
