/**
 * Files that customers send are fetched from WhatsApp after the event of the message, and kept by the type of their
 * bytes.
 */
import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { FILE_QUEUE } from '../../src/modules/files/file-queue.ts'
import { dropFilesOfContacts } from '../../src/modules/files/drop-files.ts'
import { FileNotInStore } from '../../src/modules/files/file-store.ts'
import { createFolderStore } from '../../src/modules/files/folder-store.ts'
import { settleKept } from '../../src/modules/files/settle-file.ts'
import type { ChannelCache } from '../../src/modules/channels/channel-cache.ts'
import type { ChannelAdapters } from '../../src/modules/channels/registry.ts'
import { createFetchFilesWorker } from '../../src/workers/fetch-files.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { parseFact } from '../../src/core/facts/stored-fact.ts'
import { FILE_ENGINE, FILE_LIMITS } from '../../src/core/limits/files.ts'
import { buffer } from 'node:stream/consumers'
import path from 'node:path'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { claimFrom } from '../support/queues.ts'
import { newWamid, postWebhook, webhookOf } from '../support/whatsapp-webhook.ts'
import { newPhone, type SimulatedWhatsApp } from '../support/simulator.ts'
import { conversationOf } from '../support/records/conversations.ts'
import { fileOf, filesOf, putFile } from '../support/records/files.ts'
import {
  messageAtProvider,
  messageOf,
  messagesOf,
  putMessage,
} from '../support/records/messages.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWhatsApp } from '../support/open-world.ts'

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 7)])

const folder = mkdtempSync('/tmp/wasla-files-')
const store = createFolderStore(path.join(folder, 'files'))
const { world, whatsApp } = await openWhatsApp({ fileStore: store })
const shop = await whatsApp.openShop()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Contact = { phone: string }
type Sent = Omit<
  Parameters<SimulatedWhatsApp['simulator']['sendFile']>[0],
  'from' | 'phoneNumberId'
>

/** Lets a customer send a file. Returns its message, its id and a function that reads its current row. */
async function send(more: Partial<Sent> = {}, from = newPhone()) {
  // A message's time has whole seconds: this one is the newest.
  world.clock.advance(1_000)
  whatsApp.simulator.sendFile({
    from,
    phoneNumberId: shop.phoneNumberId,
    type: 'image',
    bytes: PNG,
    mimeType: 'image/png',
    ...more,
  })
  await whatsApp.settle()
  const { companyId } = shop
  const message = (await messagesOf(world, { companyId, direction: 'in' })).at(-1)!
  const fileId = message.fileId!
  return { message, fileId, file: () => fileOf(world, fileId), from }
}

/** Lets a customer send a file while WhatsApp is unreachable, which it is no longer afterwards. */
async function sendUnreached() {
  const base = world.baseUrls.simulated.whatsApp!
  world.baseUrls.simulated.whatsApp = 'http://127.0.0.1:9'
  const sent = await send()
  world.baseUrls.simulated.whatsApp = base
  return sent
}

/** Drops the stored files of the contact who sent a message. Returns their number. */
async function eraseSenderOf({ conversationId }: { conversationId: string }): Promise<number> {
  const { contactId } = await conversationOf(world, conversationId)
  const about = { companyId: shop.companyId, contactIds: [contactId!] }
  return transaction(world.service.context.db, (tx) =>
    dropFilesOfContacts(tx, world.clock.now(), about),
  )
}

const bytesOf = async (id: string) => buffer(await store.read({ companyId: shop.companyId, id }))

describe('A file that a customer sends', () => {
  test('raises its event immediately, with its type and its caption, and is stored afterwards', async () => {
    const told = shop.events('message.received').length
    const { message, fileId, file } = await send({ caption: 'The box', fileName: '../box.png' })
    expect(shop.events('message.received').slice(told)).toMatchObject([
      { data: { message: { type: 'image', text: 'The box' } } },
    ])
    expect(message).toMatchObject({ type: 'image', text: 'The box' })
    expect(await file()).toMatchObject({
      companyId: shop.companyId,
      state: 'kept',
      mediaType: 'image/png',
      size: PNG.length,
      name: 'box.png',
      sha256: createHash('sha256').update(PNG).digest(),
      dueAt: null,
      claimId: null,
    })
    expect(await bytesOf(fileId)).toEqual(PNG)
  })

  test('has the type of its bytes, not the one that the phone names', async () => {
    const page = Buffer.from('<html><script>alert(1)</script></html>')
    const { file } = await send({ bytes: page, mimeType: 'image/jpeg' })
    expect(await file()).toMatchObject({ state: 'kept', mediaType: 'text/plain' })
  })

  test('is lost if it is too large, and says so; no more of it is read than the limit', async () => {
    const { file } = await send({ bytes: Buffer.alloc(FILE_LIMITS.bytes + 1), type: 'document' })
    const { state, lostReason } = (await file())!
    expect(state).toBe('lost')
    const params = { max: FILE_LIMITS.bytes }
    expect(parseFact(lostReason!)).toEqual({ code: 'file_too_large', params })
  })

  systemTest('is requested by the schedule while WhatsApp has none, and then lost', async () => {
    const waiting = await sendUnreached()
    expect(await waiting.file()).toMatchObject({ state: 'awaited', attempt: 2, claimId: null })
    await world.service.processAll()
    expect((await waiting.file())!.state).toBe('awaited')
    world.clock.advance(FILE_ENGINE.retryDelaysMs[0])
    await world.service.processAll()
    expect(await waiting.file()).toMatchObject({ state: 'kept', attempt: 2 })

    const lost = await sendUnreached()
    const base = world.baseUrls.simulated.whatsApp!
    world.baseUrls.simulated.whatsApp = 'http://127.0.0.1:9'
    for (const delayMs of FILE_ENGINE.retryDelaysMs) {
      expect((await lost.file())!.state).toBe('awaited')
      world.clock.advance(delayMs)
      await world.service.processAll()
    }
    world.baseUrls.simulated.whatsApp = base
    const { state, lostReason, dueAt } = (await lost.file())!
    expect([state, dueAt]).toEqual(['lost', null])
    expect(parseFact(lostReason!).code).toBe('provider_not_reached')
  })
})

test('A file is not lost because the database is away at the last attempt to fetch it', async () => {
  const { fileId, file } = await sendUnreached()
  const attempt = FILE_ENGINE.retryDelaysMs.length + 1
  await putFile(world, fileId, { attempt, dueAt: world.clock.now() })
  const { context } = world.service
  const away = () => Promise.reject(new Error('Connection terminated'))
  const worker = createFetchFilesWorker(context, {
    store,
    adapters: {} as ChannelAdapters,
    knownChannels: { byId: away, reload: away } as unknown as ChannelCache,
    claimId: () => context.ids.uuid(),
    onProgress: () => {},
  })
  await worker.work()
  await worker.drain()
  expect(await file()).toMatchObject({ state: 'awaited', attempt })
  world.clock.advance(FILE_QUEUE.leaseMs + 1)
  await world.service.processAll()
  expect(await file()).toMatchObject({ state: 'kept', attempt })
})

describe('A file without an event', () => {
  const SHA = createHash('sha256').update(PNG).digest('base64')
  /** Uploads a file to the simulated WhatsApp. Returns it as a message names it. */
  const picture = () => {
    const from = newPhone()
    const { phoneNumberId } = shop
    const sent = { from, phoneNumberId, type: 'image', bytes: PNG, mimeType: 'image/png' } as const
    whatsApp.simulator.sendFile(sent)
    return { from: from.slice(1), image: { mime_type: 'image/png', sha256: SHA, caption: 'Look' } }
  }
  /** Returns the provider's id of the latest file, which is not fetched yet. */
  const lastMedia = async () => {
    await whatsApp.simulator.idle()
    const { providerMedia } = (await filesOf(world, shop)).at(-1)!
    return (JSON.parse(providerMedia!) as { providerMediaId: string }).providerMediaId
  }
  const expectKept = async (wamid: string, sender: string) => {
    await whatsApp.settle()
    const message = await messageAtProvider(world, wamid)
    expect(message).toMatchObject({ type: 'image', text: 'Look', sender })
    const file = await fileOf(world, message.fileId!)
    expect(file).toMatchObject({ state: 'kept', mediaType: 'image/png' })
  }

  test('from the owner in the provider’s app is kept with its message', async () => {
    const { from, image } = picture()
    const [wamid, id] = [newWamid(), await lastMedia()]
    const content = { type: 'image', image: { ...image, id } }
    const echo = { id: wamid, from: '15550783881', to: from, ...content }
    const change = { field: 'smb_message_echoes', value: { message_echoes: [echo] } }
    for (let time = 0; time < 2; time += 1) {
      expect(await postWebhook(world, webhookOf(shop, [change]))).toBe(200)
    }
    await expectKept(wamid, 'owner_app')
  })

  test('from a history is kept once, whether it comes with its message or after it', async () => {
    const { from, image } = picture()
    const [id, ...wamids] = [await lastMedia(), newWamid(), newWamid()] as const
    const past = (wamid: string, content: Record<string, unknown>) => {
      return { id: wamid, from, timestamp: '1760000000', ...content }
    }
    const whole = { type: 'image', image: { ...image, id } }
    const messages = [past(wamids[0], { type: 'media_placeholder' }), past(wamids[1], whole)]
    const threads = { history: [{ threads: [{ id: from, messages }] }] }
    const later = { messages: [past(wamids[0], whole)] }
    for (const value of [threads, later, later, threads]) {
      expect(await postWebhook(world, webhookOf(shop, [{ field: 'history', value }]))).toBe(200)
    }
    for (const wamid of wamids) await expectKept(wamid, 'customer')
    const told = shop.events('message.received').map(({ data }) => data.contact as Contact)
    expect(told.filter(({ phone }) => phone === `+${from}`)).toHaveLength(1)
  })
})

describe("A contact's stored files", () => {
  test('are dropped with the contact: no message names them, their bytes go, and others stay', async () => {
    const [mine, others] = [await send(), await send()]
    expect(await eraseSenderOf(mine.message)).toBe(1)
    expect((await mine.file())!.state).toBe('dropped')
    await world.service.processAll()
    expect(await mine.file()).toBe(undefined)
    await expect(bytesOf(mine.fileId)).rejects.toThrow(FileNotInStore)
    expect((await others.file())!.state).toBe('kept')
    expect(await bytesOf(others.fileId)).toEqual(PNG)
  })

  systemTest('are deleted even if the store fails for a long time', async () => {
    const { fileId: id, file } = await send()
    const place = path.join(folder, 'files', shop.companyId, id.slice(-2), id)
    rmSync(place)
    // A folder of that name, with something in it, is not deleted as a file is.
    mkdirSync(path.join(place, 'full'), { recursive: true })
    await putFile(world, id, { state: 'dropped', dueAt: world.clock.now(), attempt: 1 })
    for (const delayMs of [0, ...FILE_ENGINE.retryDelaysMs]) {
      world.clock.advance(delayMs)
      await world.service.processAll()
      expect(await file()).toMatchObject({ state: 'dropped', dueAt: expect.any(Date) })
    }
    rmSync(place, { recursive: true })
    world.clock.advance(FILE_ENGINE.retryDelaysMs.at(-1)!)
    await world.service.processAll()
    expect(await file()).toBe(undefined)
  })

  systemTest("stay if flows or other customers' messages use them", async () => {
    const from = newPhone()
    const [ofFlow, shared] = [await send({}, from), await send({}, from)]
    const others = await send()
    await putFile(world, ofFlow.fileId, { purpose: 'flow', channelId: null })
    await putMessage(world, others.message.id, { fileId: shared.fileId })
    expect(await eraseSenderOf(shared.message)).toBe(0)
    await world.service.processAll()
    for (const { file, message } of [ofFlow, shared]) {
      expect(await file()).toMatchObject({ state: 'kept' })
      expect((await messageOf(world, message.id)).fileId).toBe(null)
    }
  })

  test('are not stored if the contact is erased while they are fetched', async () => {
    const { message, fileId, file } = await sendUnreached()
    const { db } = world.service.context
    world.clock.advance(FILE_ENGINE.retryDelaysMs[0])
    const files = await claimFrom(world, FILE_QUEUE, { limit: 10 })
    const claimed = files.find(({ id }) => id === fileId)!
    await eraseSenderOf(message)
    await settleKept({ db: db.kysely, store }, claimed, PNG)
    expect(await file()).toMatchObject({ state: 'dropped', claimId: null })
    await world.service.processAll()
    expect(await file()).toBe(undefined)
    await settleKept({ db: db.kysely, store }, claimed, PNG)
    await expect(bytesOf(claimed.id)).rejects.toThrow(FileNotInStore)
  })
})
