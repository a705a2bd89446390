/** A file that a message takes along: uploaded to WhatsApp once for all who are sent it, from whatever store. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFileToSend } from '../../src/channels/file-to-send.ts'
import { createKnownChannels } from '../../src/channels/known-channels.ts'
import { createOpenChannel } from '../../src/channels/open-channel.ts'
import { createChannelAdapters, type ChannelAdapters } from '../../src/channels/registry.ts'
import { transaction } from '../../src/database/transaction.ts'
import type { FileStore } from '../../src/files/file-store.ts'
import { takeFilesToSend } from '../../src/files/files-to-send.ts'
import { knowBytes } from '../../src/files/keep-bytes.ts'
import { createFolderStore } from '../../src/files/folder-store.ts'
import { FILE_LIMITS } from '../../src/limits/files.ts'
import { PROVIDER_LIMITS } from '../../src/limits/messaging.ts'
import { prepareMedia } from '../../src/messaging/prepare-media.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { signedIn } from '../support/dashboard.ts'
import { queueFile } from '../support/queue-file.ts'
import { uploadFile } from '../support/upload-file.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'

const PDF = Buffer.from('%PDF-1.4 a receipt')
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(200_000, 7)])

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let adapters: ChannelAdapters
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
  adapters = createChannelAdapters({
    ...world.service.context,
    baseUrls: world.baseUrls,
    graphApiVersion: 'v25.0',
  })
})
afterAll(async () => {
  await adapters.whatsapp!.close()
  await whatsApp.close()
  await world.close()
})

/** A store that counts how often it is read. */
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
  const { db, ids, clock } = world.service.context
  const id = ids.uuid()
  const { companyId } = shop
  await store.put({ companyId, id }, bytes)
  const about = { id, companyId, purpose: 'message', state: 'kept', name, createdAt: clock.now() }
  await db.kysely
    .insertInto('file')
    .values({ ...about, ...knowBytes(bytes) })
    .execute()
  return id
}

async function take(fileId: string, companyId = shop.companyId) {
  return transaction(world.service.context.db, (tx) => takeFilesToSend(tx, [{ companyId, fileId }]))
}

async function contentOf(fileId: string, caption: string | null) {
  const [file] = await take(fileId)
  const prepared = prepareMedia(file!, { channelType: 'whatsapp', caption })
  if (!prepared.ok) throw new Error(prepared.reason.code)
  return prepared.content
}

async function senderOn(store: FileStore) {
  const { context, keyRing } = world.service
  const known = createKnownChannels(context, {
    keyRing,
    connection: world.database.connection,
  })
  const fileToSend = createFileToSend(context, store)
  const open = createOpenChannel({ known, adapters, fileToSend })
  let serial = 0
  return {
    async send(content: Awaited<ReturnType<typeof contentOf>>, phone = newPhone()) {
      whatsApp.simulator.sendText({ from: phone, phoneNumberId: shop.phoneNumberId, text: 'Hi' })
      const send = await open(shop.channelId)
      const result = await send({ number: phone.slice(1) }, content, `o_${(serial += 1)}`)
      const sent = whatsApp.simulator.messages().findLast(({ to }) => to === phone.slice(1))
      return { result, sent }
    },
    close: () => known.close(),
  }
}

describe('A file that a message takes along', () => {
  test('reaches WhatsApp byte by byte, of its own type, and is shown with its words and its name', async () => {
    const store = await countedStore()
    const { send, close } = await senderOn(store)
    const picture = await send(await contentOf(await keptFile(store, PNG, 'box.png'), ' The box '))
    expect(picture.result.outcome).toBe('accepted')
    expect(picture.sent).toMatchObject({ type: 'image', text: '[image] The box' })
    expect(whatsApp.simulator.mediaFile(picture.sent!.mediaId!)).toMatchObject({
      bytes: PNG,
      mimeType: 'image/png',
    })
    const receipt = await send(await contentOf(await keptFile(store, PDF, 'إيصال.pdf'), null))
    expect(receipt.sent).toMatchObject({ type: 'document', text: '[document] إيصال.pdf' })
    expect(whatsApp.simulator.mediaFile(receipt.sent!.mediaId!)!.bytes).toEqual(PDF)
    await close()
  })

  test('is uploaded once for all who are sent it, and again once WhatsApp may have dropped it', async () => {
    const store = await countedStore()
    const { send, close } = await senderOn(store)
    const content = await contentOf(await keptFile(store, PNG), null)
    const first = await send(content)
    const second = await send(content)
    expect([store.reads, second.sent!.mediaId]).toEqual([1, first.sent!.mediaId])
    world.clock.advance(PROVIDER_LIMITS.uploadKnownMs)
    const later = await send(content)
    expect(store.reads).toBe(2)
    expect(later.sent!.mediaId).not.toBe(first.sent!.mediaId)

    // Sooner than it said: what it no longer knows is refused for now, and uploaded by the next try.
    whatsApp.simulator.forgetMedia(later.sent!.mediaId!)
    const refused = await send(content)
    expect(refused.result).toMatchObject({ outcome: 'refused', error: { class: 'transient' } })
    expect((await send(content)).result.outcome).toBe('accepted')
    await close()
  })

  test('that is kept no more, or not in the store, is not sent, and the message says why', async () => {
    const store = await countedStore()
    const { send, close } = await senderOn(store)
    const id = await keptFile(store, PNG)
    const content = await contentOf(id, null)
    await store.delete({ companyId: shop.companyId, id })
    const unread = await send(content)
    expect(unread.result).toMatchObject({
      outcome: 'refused',
      error: { class: 'transient', why: { code: 'not_sent_fault' } },
    })
    await world.service.context.db.kysely.deleteFrom('file').where('id', '=', id).execute()
    const gone = await send(content)
    expect(gone.result).toMatchObject({
      outcome: 'refused',
      error: { class: 'content', why: { code: 'file_gone' } },
    })
    expect(gone.sent).toBe(undefined)
    await close()
  })

  systemTest(
    'goes the way of all messages: queued, uploaded, sent, and its receipt moves it on',
    async () => {
      const member = await signedIn(world, { accountId: shop.accountId })
      const { companyId } = shop
      const fileId = await uploadFile(world, member, companyId, { bytes: PNG })
      const phone = newPhone()
      whatsApp.simulator.sendText({ from: phone, phoneNumberId: shop.phoneNumberId, text: 'Hi' })
      await whatsApp.settle()
      const { kysely } = world.service.context.db
      const { id: conversationId } = await kysely
        .selectFrom('conversation')
        .select('id')
        .where('companyId', '=', companyId)
        .where('filedUnder', '=', phone.slice(1))
        .executeTakeFirstOrThrow()
      const { personId } = member
      const about = { companyId, conversationId, fileId, personId, caption: 'Here it is' }
      const id = await queueFile(world, about)
      await processUnwoken(world)
      await whatsApp.settle()
      const sent = whatsApp.simulator.messages().find(({ ourReference }) => ourReference === id)!
      expect(whatsApp.simulator.mediaFile(sent.mediaId!)!.bytes).toEqual(PNG)
      expect(
        await kysely.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirst(),
      ).toMatchObject({ type: 'image', text: 'Here it is', fileId, status: 'delivered' })
      // It is the message's now: nothing takes it away.
      world.clock.advance(2 * FILE_LIMITS.unsentKeptMs)
      await world.service.processAll()
      const file = await kysely
        .selectFrom('file')
        .select('state')
        .where('id', '=', fileId)
        .execute()
      expect(file).toEqual([{ state: 'kept' }])
    },
  )

  test('is of the company, and stays from the moment a message takes it', async () => {
    const store = await countedStore()
    const id = await keptFile(store, PNG)
    const { db, ids, clock } = world.service.context
    const due = () =>
      db.kysely.selectFrom('file').select('dueAt').where('id', '=', id).executeTakeFirstOrThrow()
    await db.kysely.updateTable('file').set({ dueAt: clock.now() }).where('id', '=', id).execute()
    expect(await take(id, ids.uuid())).toEqual([])
    expect((await due()).dueAt).not.toBe(null)
    expect(await take(id)).toMatchObject([{ id, mediaType: 'image/png', size: PNG.length }])
    expect((await due()).dueAt).toBe(null)
  })
})
