/** Files that customers send: fetched from WhatsApp after the message is told of, and kept by their bytes. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimFiles } from '../../src/files/claim-files.sql.ts'
import { dropFilesOfContacts } from '../../src/files/drop-files.ts'
import { FileNotInStore } from '../../src/files/file-store.ts'
import { createFolderStore } from '../../src/files/folder-store.ts'
import { settleKept } from '../../src/files/settle-file.ts'
import { transaction } from '../../src/database/transaction.ts'
import { readFact } from '../../src/facts/stored-fact.ts'
import { FILE_ENGINE, FILE_LIMITS } from '../../src/limits/files.ts'
import { buffer } from 'node:stream/consumers'
import path from 'node:path'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { newWamid, postWebhook, webhookOf } from '../support/whatsapp-webhook.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 7)])

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
const folder = mkdtempSync('/tmp/wasla-files-')
const store = createFolderStore(path.join(folder, 'files'))
beforeAll(async () => {
  world = await createWorld({ fileStore: store })
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

type Sent = Omit<
  Parameters<SimulatedWhatsApp['simulator']['sendFile']>[0],
  'from' | 'phoneNumberId'
>

/** A customer sends a file. Returns the file as its row has it, in the world as it is then. */
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
  const { kysely } = world.service.context.db
  const message = await kysely
    .selectFrom('message')
    .selectAll()
    .where('companyId', '=', shop.companyId)
    .where('direction', '=', 'in')
    .where('occurredAt', '=', world.clock.now())
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow()
  const file = () =>
    kysely.selectFrom('file').selectAll().where('id', '=', message.fileId!).executeTakeFirst()
  return { message, file, from }
}

const bytesOf = async (id: string) => buffer(await store.read({ companyId: shop.companyId, id }))

describe('A file that a customer sends', () => {
  test('is told of at once, by its type and its caption, and kept afterwards', async () => {
    const told = shop.events('message.received').length
    const { message, file } = await send({ caption: 'The box', fileName: '../box.png' })
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
    expect(await bytesOf(message.fileId!)).toEqual(PNG)
  })

  test('is what its bytes say, not what the phone calls it', async () => {
    const page = Buffer.from('<html><script>alert(1)</script></html>')
    const { file } = await send({ bytes: page, mimeType: 'image/jpeg' })
    expect(await file()).toMatchObject({ state: 'kept', mediaType: 'text/plain' })
  })

  test('is lost where it is larger than is kept, and says so; not a byte more is read', async () => {
    const { file } = await send({ bytes: Buffer.alloc(FILE_LIMITS.bytes + 1), type: 'document' })
    const { state, lostReason } = (await file())!
    expect(state).toBe('lost')
    expect(readFact(lostReason!)).toEqual({
      code: 'file_too_large',
      params: { most: FILE_LIMITS.bytes },
    })
  })

  systemTest(
    'is asked for again by the schedule while WhatsApp does not give it, and is lost at its end',
    async () => {
      const base = world.baseUrls.whatsAppSimulator
      world.baseUrls.whatsAppSimulator = 'http://127.0.0.1:9'
      const waiting = await send({}, newPhone())
      expect(await waiting.file()).toMatchObject({ state: 'awaited', attempt: 2, claimId: null })
      world.baseUrls.whatsAppSimulator = base
      await world.service.processAll()
      expect((await waiting.file())!.state).toBe('awaited')
      world.clock.advance(FILE_ENGINE.retryDelaysMs[0])
      await world.service.processAll()
      expect(await waiting.file()).toMatchObject({ state: 'kept', attempt: 2 })

      world.baseUrls.whatsAppSimulator = 'http://127.0.0.1:9'
      const lost = await send({}, newPhone())
      for (const delayMs of FILE_ENGINE.retryDelaysMs) {
        expect((await lost.file())!.state).toBe('awaited')
        world.clock.advance(delayMs)
        await world.service.processAll()
      }
      world.baseUrls.whatsAppSimulator = base
      const { state, lostReason, dueAt } = (await lost.file())!
      expect([state, dueAt]).toEqual(['lost', null])
      expect(readFact(lostReason!).code).toBe('provider_not_reached')
    },
  )

  test('that a process had in hand when it died is fetched by another once the lease has ended', async () => {
    const base = world.baseUrls.whatsAppSimulator
    world.baseUrls.whatsAppSimulator = 'http://127.0.0.1:9'
    const { file, message } = await send({}, newPhone())
    world.baseUrls.whatsAppSimulator = base
    const now = world.clock.now()
    await world.service.context.db.kysely
      .updateTable('file')
      .set({
        claimId: world.service.context.ids.uuid(),
        claimedUntil: new Date(now.getTime() + FILE_ENGINE.leaseMs),
      })
      .where('id', '=', message.fileId)
      .execute()
    world.clock.advance(FILE_ENGINE.leaseMs - 1_000)
    await world.service.processAll()
    expect((await file())!.state).toBe('awaited')
    world.clock.advance(1_000)
    await world.service.processAll()
    expect((await file())!.state).toBe('kept')
  })
})

describe('A file that nobody is told of', () => {
  const SHA = createHash('sha256').update(PNG).digest('base64')
  /** A file that lies with WhatsApp, as a message names it. */
  const picture = () => {
    const from = newPhone()
    const { phoneNumberId } = shop
    const sent = { from, phoneNumberId, type: 'image', bytes: PNG, mimeType: 'image/png' } as const
    whatsApp.simulator.sendFile(sent)
    return { from: from.slice(1), image: { mime_type: 'image/png', sha256: SHA, caption: 'Look' } }
  }
  /** By which the file is asked for that was told of last, and is not fetched yet. */
  const lastMedia = async () => {
    await whatsApp.simulator.idle()
    const { providerMedia } = await world.database.db.kysely
      .selectFrom('file')
      .select('providerMedia')
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return (JSON.parse(providerMedia!) as { providerMediaId: string }).providerMediaId
  }
  const kept = async (wamid: string) => {
    await whatsApp.settle()
    return world.database.db.kysely
      .selectFrom('message')
      .leftJoin('file', 'file.id', 'message.fileId')
      .select(['message.type', 'message.text', 'message.sender', 'file.state', 'file.mediaType'])
      .where('message.providerMessageId', '=', wamid)
      .execute()
  }
  const IS = { type: 'image', text: 'Look', state: 'kept', mediaType: 'image/png' }

  test('of the owner’s, in the provider’s app, is kept with its message', async () => {
    const { from, image } = picture()
    const [wamid, id] = [newWamid(), await lastMedia()]
    const echo = {
      id: wamid,
      from: '15550783881',
      to: from,
      type: 'image',
      image: { ...image, id },
    }
    const change = { field: 'smb_message_echoes', value: { message_echoes: [echo] } }
    for (let time = 0; time < 2; time += 1) {
      expect(await postWebhook(world, webhookOf(shop, [change]))).toBe(200)
    }
    expect(await kept(wamid)).toEqual([{ ...IS, sender: 'owner_app' }])
  })

  test('of a history is kept, told of at once or after its message, once', async () => {
    const { from, image } = picture()
    const [id, ...wamids] = [await lastMedia(), newWamid(), newWamid()] as const
    const past = (wamid: string, content: Record<string, unknown>) => ({
      id: wamid,
      from,
      timestamp: '1760000000',
      ...content,
    })
    const whole = { type: 'image', image: { ...image, id } }
    const messages = [past(wamids[0], { type: 'media_placeholder' }), past(wamids[1], whole)]
    const threads = { history: [{ threads: [{ id: from, messages }] }] }
    const later = { messages: [past(wamids[0], whole)] }
    for (const value of [threads, later, later, threads]) {
      expect(await postWebhook(world, webhookOf(shop, [{ field: 'history', value }]))).toBe(200)
    }
    for (const wamid of wamids) expect(await kept(wamid)).toEqual([{ ...IS, sender: 'customer' }])
    const told = shop.events('message.received').map(({ data }) => data.contact)
    expect(
      told.filter((contact) => (contact as { phone: string }).phone === `+${from}`),
    ).toHaveLength(1)
  })
})

describe('What was kept of a contact', () => {
  test('is dropped with it: no message names it, its bytes go, and nobody else loses any', async () => {
    const mine = await send({}, newPhone())
    const others = await send({}, newPhone())
    const conversation = await world.service.context.db.kysely
      .selectFrom('conversation')
      .selectAll()
      .where('id', '=', mine.message.conversationId)
      .executeTakeFirstOrThrow()
    const dropped = await transaction(world.service.context.db, (tx) =>
      dropFilesOfContacts(tx, world.clock.now(), {
        companyId: shop.companyId,
        contactIds: [conversation.contactId!],
      }),
    )
    expect(dropped).toBe(1)
    expect((await mine.file())!.state).toBe('dropped')
    await world.service.processAll()
    expect(await mine.file()).toBe(undefined)
    await expect(bytesOf(mine.message.fileId!)).rejects.toThrow(FileNotInStore)
    expect((await others.file())!.state).toBe('kept')
    expect(await bytesOf(others.message.fileId!)).toEqual(PNG)
  })

  systemTest('is deleted however long the store does not do it', async () => {
    const { message, file } = await send({}, newPhone())
    const id = message.fileId!
    const place = path.join(folder, 'files', shop.companyId, id.slice(-2), id)
    rmSync(place)
    // A folder of that name, with something in it, is not deleted as a file is.
    mkdirSync(path.join(place, 'full'), { recursive: true })
    await world.service.context.db.kysely
      .updateTable('file')
      .set({ state: 'dropped', dueAt: world.clock.now(), attempt: 1 })
      .where('id', '=', id)
      .execute()
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

  const erase = async (contactOf: { conversationId: string }) => {
    const { contactId } = await world.service.context.db.kysely
      .selectFrom('conversation')
      .select('contactId')
      .where('id', '=', contactOf.conversationId)
      .executeTakeFirstOrThrow()
    const about = { companyId: shop.companyId, contactIds: [contactId!] }
    return transaction(world.service.context.db, (tx) =>
      dropFilesOfContacts(tx, world.clock.now(), about),
    )
  }

  systemTest('but what flows send, and what somebody else was sent too, stays', async () => {
    const from = newPhone()
    const [ofFlow, shared] = [await send({}, from), await send({}, from)]
    const others = await send({}, newPhone())
    const { kysely } = world.service.context.db
    const flow = kysely.updateTable('file').set({ purpose: 'flow', channelId: null })
    await flow.where('id', '=', ofFlow.message.fileId).execute()
    const too = kysely.updateTable('message').set({ fileId: shared.message.fileId })
    await too.where('id', '=', others.message.id).execute()
    expect(await erase(shared.message)).toBe(0)
    await world.service.processAll()
    for (const { file } of [ofFlow, shared]) expect(await file()).toMatchObject({ state: 'kept' })
    const named = await kysely
      .selectFrom('message')
      .select('fileId')
      .where('id', 'in', [ofFlow.message.id, shared.message.id])
      .execute()
    expect(named).toEqual([{ fileId: null }, { fileId: null }])
  })

  test('is not kept after all where it was being fetched, nor where it is gone by then', async () => {
    const base = world.baseUrls.whatsAppSimulator
    world.baseUrls.whatsAppSimulator = 'http://127.0.0.1:9'
    const { message, file } = await send({}, newPhone())
    world.baseUrls.whatsAppSimulator = base
    const { db, ids, clock } = world.service.context
    const claim = { claimId: ids.uuid(), limit: 10, without: [], after: null }
    world.clock.advance(FILE_ENGINE.retryDelaysMs[0])
    const { files } = await claimFiles(db.kysely, { ...claim, now: clock.now() })
    const inHand = files.find(({ id }) => id === message.fileId)!
    await erase(message)
    await settleKept({ db: db.kysely, store }, inHand, PNG)
    expect(await file()).toMatchObject({ state: 'dropped', claimId: null })
    await world.service.processAll()
    expect(await file()).toBe(undefined)
    await settleKept({ db: db.kysely, store }, inHand, PNG)
    await expect(bytesOf(inHand.id)).rejects.toThrow(FileNotInStore)
  })
})
