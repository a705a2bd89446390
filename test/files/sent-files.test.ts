/** A file of a message is uploaded to WhatsApp once for all its receivers, from any store. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createFileLoader } from '../../src/modules/channels/file-to-send.ts'
import { createChannelCache } from '../../src/modules/channels/channel-cache.ts'
import { createChannelOpener } from '../../src/modules/channels/open-channel.ts'
import { createChannelAdapters } from '../../src/modules/channels/registry.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import type { FileStore } from '../../src/modules/files/file-store.ts'
import { lockFilesToSend } from '../../src/modules/files/files-to-send.ts'
import { inspectBytes } from '../../src/modules/files/keep-bytes.ts'
import { createFolderStore } from '../../src/modules/files/folder-store.ts'
import { FILE_LIMITS } from '../../src/core/limits/files.ts'
import { PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import { prepareMedia } from '../../src/modules/messaging/prepare-media.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { signedIn } from '../support/dashboard.ts'
import { queueFile } from '../support/queue-file.ts'
import { uploadFile } from '../support/upload-file.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { newPhone } from '../support/simulator.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { addFile, fileOf, putFile, removeFile } from '../support/records/files.ts'
import { messageOf } from '../support/records/messages.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWhatsApp } from '../support/open-world.ts'

const PDF = Buffer.from('%PDF-1.4 a receipt')
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(200_000, 7)])

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const adapters = createChannelAdapters({
  ...world.service.context,
  baseUrls: world.baseUrls,
  graphApiVersion: 'v25.0',
})
afterAll(() => adapters.whatsapp!.close())

/** Returns a store that counts its reads. */
async function countedStore(): Promise<FileStore & { reads: number }> {
  const store = createFolderStore(await temporaryFolder())
  return Object.assign(store, {
    reads: 0,
    read: ((read) =>
      function counted(this: { reads: number }, ...what: Parameters<FileStore['read']>) {
        this.reads += 1
        return read(...what)
      })(store.read),
  })
}

async function keptFile(store: FileStore, bytes: Buffer, name: string | null = null) {
  const id = await addFile(world, shop, { purpose: 'message', name, ...inspectBytes(bytes) })
  await store.put({ companyId: shop.companyId, id }, bytes)
  return id
}

async function take(fileId: string, companyId = shop.companyId) {
  return transaction(world.service.context.db, (tx) => lockFilesToSend(tx, [{ companyId, fileId }]))
}

async function contentOf(fileId: string, caption: string | null) {
  const [file] = await take(fileId)
  const prepared = prepareMedia(file!, { channelType: 'whatsapp', caption })
  if (!prepared.ok) throw new Error(prepared.reason.code)
  return prepared.content
}

/** Returns a function that sends files of a store to WhatsApp, until the test has ended. */
function senderOn(store: FileStore) {
  const { context, keyRing } = world.service
  const known = createChannelCache(context, { keyRing, connection: world.database.connection })
  const fileToSend = createFileLoader(context, store)
  const open = createChannelOpener({ known, adapters, fileToSend })
  onTestFinished(() => known.close())
  let serial = 0
  return async (content: Awaited<ReturnType<typeof contentOf>>, phone = newPhone()) => {
    whatsApp.simulator.sendText({ from: phone, phoneNumberId: shop.phoneNumberId, text: 'Hi' })
    const send = await open(shop.channelId)
    const result = await send({ number: phone.slice(1) }, content, `o_${(serial += 1)}`)
    const sent = whatsApp.simulator.messages().findLast(({ to }) => to === phone.slice(1))
    return { result, sent }
  }
}

describe('A file that a message takes along', () => {
  test('reaches WhatsApp byte by byte, with its type, and is shown with its caption and its name', async () => {
    const store = await countedStore()
    const send = senderOn(store)
    const picture = await send(await contentOf(await keptFile(store, PNG, 'box.png'), ' The box '))
    expect(picture.result.outcome).toBe('accepted')
    expect(picture.sent).toMatchObject({ type: 'image', text: '[image] The box' })
    const kept = { bytes: PNG, mimeType: 'image/png' }
    expect(whatsApp.simulator.mediaFile(picture.sent!.mediaId!)).toMatchObject(kept)
    const receipt = await send(await contentOf(await keptFile(store, PDF, 'إيصال.pdf'), null))
    expect(receipt.sent).toMatchObject({ type: 'document', text: '[document] إيصال.pdf' })
    expect(whatsApp.simulator.mediaFile(receipt.sent!.mediaId!)!.bytes).toEqual(PDF)
  })

  test('is uploaded once for all its receivers, and again once WhatsApp may have deleted it', async () => {
    const store = await countedStore()
    const send = senderOn(store)
    const content = await contentOf(await keptFile(store, PNG), null)
    const first = await send(content)
    const second = await send(content)
    expect([store.reads, second.sent!.mediaId]).toEqual([1, first.sent!.mediaId])
    world.clock.advance(PROVIDER_LIMITS.uploadKnownMs)
    const later = await send(content)
    expect(store.reads).toBe(2)
    expect(later.sent!.mediaId).not.toBe(first.sent!.mediaId)

    // WhatsApp forgets it earlier than it said: the send is refused for now, and the next try uploads the file again.
    whatsApp.simulator.forgetMedia(later.sent!.mediaId!)
    const refused = await send(content)
    expect(refused.result).toMatchObject({ outcome: 'refused', error: { class: 'transient' } })
    expect((await send(content)).result.outcome).toBe('accepted')
  })

  test('is sent although its upload could not be remembered', async () => {
    const store = await countedStore()
    const id = await keptFile(store, PNG)
    const content = await contentOf(id, null)
    const send = senderOn({
      ...store,
      async read(key) {
        await removeFile(world, id)
        return store.read(key)
      },
    })
    expect((await send(content)).result.outcome).toBe('accepted')
  })

  systemTest('is not sent if it was deleted or is missing in the store, and says why', async () => {
    const store = await countedStore()
    const send = senderOn(store)
    const id = await keptFile(store, PNG)
    const content = await contentOf(id, null)
    await store.delete({ companyId: shop.companyId, id })
    const unread = { class: 'transient', why: { code: 'not_sent_fault' } }
    expect((await send(content)).result).toMatchObject({ outcome: 'refused', error: unread })
    await putFile(world, id, { state: 'dropped', dueAt: world.clock.now() })
    await world.service.processAll()
    expect(await fileOf(world, id)).toBe(undefined)
    const gone = await send(content)
    const error = { class: 'content', why: { code: 'file_gone' } }
    expect(gone.result).toMatchObject({ outcome: 'refused', error })
    expect(gone.sent).toBe(undefined)
  })

  systemTest('is queued, uploaded and sent like all messages, receipts included', async () => {
    const member = await signedIn(world, { accountId: shop.accountId })
    const { companyId } = shop
    const fileId = await uploadFile(world, member, companyId, { bytes: PNG })
    const phone = newPhone()
    whatsApp.simulator.sendText({ from: phone, phoneNumberId: shop.phoneNumberId, text: 'Hi' })
    await whatsApp.settle()
    const { id: conversationId } = await conversationWith(world, { companyId }, phone.slice(1))
    const { personId } = member
    const about = { companyId, conversationId, fileId, personId, caption: 'Here it is' }
    const id = await queueFile(world, about)
    await processUnwoken(world)
    await whatsApp.settle()
    const sent = whatsApp.simulator.messages().find(({ ourReference }) => ourReference === id)!
    expect(whatsApp.simulator.mediaFile(sent.mediaId!)!.bytes).toEqual(PNG)
    const delivered = { type: 'image', text: 'Here it is', fileId, status: 'delivered' }
    expect(await messageOf(world, id)).toMatchObject(delivered)
    // It belongs to the message now: nothing deletes it.
    world.clock.advance(2 * FILE_LIMITS.unsentKeptMs)
    await world.service.processAll()
    expect(await fileOf(world, fileId)).toMatchObject({ state: 'kept' })
  })

  test('belongs to the company, and is kept from the moment a message uses it', async () => {
    const store = await countedStore()
    const id = await keptFile(store, PNG)
    await putFile(world, id, { dueAt: world.clock.now() })
    expect(await take(id, world.service.context.ids.uuid())).toEqual([])
    expect((await fileOf(world, id))!.dueAt).not.toBe(null)
    expect(await take(id)).toMatchObject([{ id, mediaType: 'image/png', size: PNG.length }])
    expect((await fileOf(world, id))!.dueAt).toBe(null)
  })
})
