/** Files over the dashboard's API: uploaded as they are, and given so that nothing in them is run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FileView } from '../../src/contract/dashboard/file.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { createFolderStore } from '../../src/files/folder-store.ts'
import type { FileStore } from '../../src/files/file-store.ts'
import { FILE_LIMITS } from '../../src/limits/files.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { auditLog } from '../support/records/audit.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { askUpload, PNG, uploadFile } from '../support/upload-file.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let owner: Member
let agent: Member
const folder = mkdtempSync('/tmp/wasla-files-')
const store: FileStore = createFolderStore(folder)
beforeAll(async () => {
  world = await createWorld({ fileStore: store })
  shop = await createShop(world)
})
/** The clock moves by days, and sessions end. */
beforeEach(async () => {
  owner = await signedIn(world, { accountId: shop.accountId })
  agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const path = (id: string) => `/companies/${shop.companyId}/files/${id}`
const upload = (options: Parameters<typeof askUpload>[3] = {}, by = agent) =>
  askUpload(world, by, shop.companyId, options)
const content = (id: string, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/api${path(id)}/content`, {
    headers: { authorization: `Bearer ${agent.token}`, ...headers },
  })
const row = (id: string) =>
  world.service.context.db.kysely
    .selectFrom('file')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()

describe('An upload', () => {
  test('is kept as what its bytes are, under a name that is made harmless', async () => {
    const { status, body } = await upload({ query: { name: '../صندوق.gif' } })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      state: 'kept',
      mediaType: 'image/png',
      mediaKind: 'image',
      size: PNG.length,
      name: 'صندوق.gif',
      lostReason: null,
      createdAt: world.clock.now().toISOString(),
    })
    expect((await agent.ask<FileView>('GET', path(body.id))).body).toEqual(body)
  })

  systemTest('has 16 MB at most, and something at least', async () => {
    expect(await upload({ bytes: Buffer.alloc(FILE_LIMITS.bytes) })).toMatchObject({ status: 201 })
    expect(await upload({ bytes: Buffer.alloc(FILE_LIMITS.bytes + 1) })).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large', reason: 'file_too_large' },
    })
    expect(await upload({ bytes: Buffer.alloc(0) })).toMatchObject({
      status: 422,
      body: { reason: 'file_empty' },
    })
  })

  test('is the body itself: no form that a page of another site could post', async () => {
    for (const type of ['multipart/form-data', 'text/plain', 'application/json', 'image/png']) {
      expect(await upload({ type })).toMatchObject({ status: 415 })
    }
  })

  test('that nobody sends is gone after a day, from the table and from the store', async () => {
    const id = await uploadFile(world, agent, shop.companyId)
    world.clock.advance(FILE_LIMITS.unsentKeptMs - 1)
    await world.service.processAll()
    expect(await row(id)).toMatchObject({ state: 'kept' })
    world.clock.advance(1)
    await world.service.processAll()
    expect(await row(id)).toBe(undefined)
    await expect(store.read({ companyId: shop.companyId, id })).rejects.toThrow('no file')
  })

  test('whose bytes the store does not take is refused, and nothing is left of it', async () => {
    const put = store.put
    store.put = () =>
      Promise.reject(Object.assign(new Error('at /secret/place'), { code: 'ENOSPC' }))
    const refused = await upload()
    store.put = put
    expect(refused).toMatchObject({
      status: 503,
      body: { reason: 'store_failed', params: { fault: 'ENOSPC' } },
    })
    expect(JSON.stringify(refused)).not.toContain('/secret/place')
    world.clock.advance(FILE_LIMITS.uploadMs)
    await world.service.processAll()
    const left = await world.service.context.db.kysely
      .selectFrom('file')
      .selectAll()
      .where('state', 'in', ['awaited', 'dropped'])
      .execute()
    expect(left).toEqual([])
  })

  test('is refused once the members of the account have uploaded all that is kept', async () => {
    const { kysely } = world.service.context.db
    const id = await uploadFile(world, agent, shop.companyId)
    const size = FILE_LIMITS.uploadedBytesOfAccount - PNG.length
    const others = await kysely
      .selectFrom('file')
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('size'), eb.val(0)).as('held'))
      .where('id', '<>', id)
      .executeTakeFirstOrThrow()
    const set = (to: number) =>
      kysely.updateTable('file').set({ size: to }).where('id', '=', id).execute()
    // What customers send is not counted, nor what goes; that of the account's projects is.
    const about = { companyId: shop.companyId, state: 'lost', createdAt: world.clock.now() }
    const { channelId } = shop
    const received = { ...about, id: crypto.randomUUID(), purpose: 'received', channelId, size }
    const gone = { ...about, id: crypto.randomUUID(), purpose: 'message', state: 'dropped', size }
    await kysely.insertInto('file').values([received, gone]).execute()
    await set(size - others.held)
    const [one, two] = await Promise.all([upload(), upload()])
    expect([one.status, two.status].toSorted()).toEqual([201, 409])
    expect([one, two].find(({ status }) => status === 409)!.body).toMatchObject({
      code: 'limit_reached',
      reason: 'uploads_full',
    })
    await set(PNG.length)
    await kysely.deleteFrom('file').where('id', 'in', [received.id, gone.id]).execute()
  })
})

describe('What is given of a file', () => {
  test('a picture is shown in a sandbox, by its bytes, and asked for anew each time', async () => {
    const id = await uploadFile(world, agent, shop.companyId, { query: { name: 'a "b".png' } })
    const answer = await content(id)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': "inline; filename*=UTF-8''a%20b%20.png",
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
    })
    const again = await content(id, { 'if-none-match': answer.headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test.for([
    ['a page', '<html><script>alert(1)</script>'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a document', '%PDF-1.4'],
    ['a program', '\x7fELF'],
  ])('%s is only saved, whatever it is called', async ([, text]) => {
    const bytes = Buffer.from(text!)
    const id = await uploadFile(world, agent, shop.companyId, { bytes, query: { name: 'a.png' } })
    const { headers } = await content(id)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  })

  test('a part of it, as players ask', async () => {
    const bytes = Buffer.from('0123456789')
    const id = await uploadFile(world, agent, shop.companyId, { bytes })
    const part = async (range: string) => {
      const answer = await content(id, { range })
      return [answer.status, answer.headers.get('content-range'), await answer.text()]
    }
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await part('bytes=8-99')).toEqual([206, 'bytes 8-9/10', '89'])
    expect(await part('bytes=10-')).toEqual([416, 'bytes */10', ''])
    expect(await part('bytes=1-2,4-5')).toEqual([200, null, '0123456789'])
  })

  test('is not opened for who asks only about it', async () => {
    const id = await uploadFile(world, agent, shop.companyId)
    const open = vi.spyOn(store, 'read')
    const answer = await fetch(`${world.url}/api${path(id)}/content`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${agent.token}` },
    })
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, `${PNG.length}`])
    expect(open).not.toHaveBeenCalled()
    open.mockRestore()
  })

  test('a refusal in words where the store does not give it', async () => {
    const id = await uploadFile(world, agent, shop.companyId)
    const fault = Object.assign(new Error('the disk is away'), { code: 'EIO' })
    const open = vi.spyOn(store, 'read').mockRejectedValueOnce(fault)
    const answer = await content(id)
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([503, null])
    expect(answer.headers.get('content-type')).toContain('json')
    expect(await answer.json()).toMatchObject({ reason: 'store_failed', params: { fault: 'EIO' } })
    open.mockRestore()
  })

  test('nothing without signing in', async () => {
    const id = await uploadFile(world, agent, shop.companyId)
    expect((await fetch(`${world.url}/api${path(id)}/content`)).status).toBe(401)
  })
})

describe('A file that flows send', () => {
  systemTest('is uploaded and deleted by who sets flows up, and stays until then', async () => {
    const asked = { query: { purpose: 'flow', name: 'menu.png' } }
    expect(await upload(asked, agent)).toMatchObject({ status: 403 })
    const { body: file } = await upload(asked, owner)
    world.clock.advance(2 * FILE_LIMITS.unsentKeptMs)
    await world.service.processAll()
    const list = `/companies/${shop.companyId}/files`
    owner = await signedIn(world, { accountId: shop.accountId })
    agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    expect((await owner.ask<Page<FileView>>('GET', list)).body.items).toEqual([file])
    expect(await agent.ask('GET', list)).toMatchObject({ status: 403 })
    expect(await agent.ask('DELETE', path(file.id))).toMatchObject({ status: 403 })

    const { kysely } = world.service.context.db
    const draftId = world.service.context.ids.uuid()
    await kysely
      .insertInto('flowVersion')
      .values({
        id: draftId,
        companyId: shop.companyId,
        flowId: shop.flowId,
        number: 2,
        definition: JSON.stringify({ steps: { show: { fileId: file.id } } }),
        triggerKind: 'manual',
        createdAt: world.clock.now(),
      })
      .execute()
    expect(await owner.ask('DELETE', path(file.id))).toMatchObject({
      status: 409,
      body: { reason: 'file_in_use' },
    })
    // Published it is sent; once another version is, it is not any more.
    const version = kysely.updateTable('flowVersion').where('id', '=', draftId)
    await version.set({ publishedAt: world.clock.now() }).execute()
    const flow = kysely.updateTable('flow').where('id', '=', shop.flowId)
    const { publishedVersionId } = await kysely
      .selectFrom('flow')
      .select('publishedVersionId')
      .where('id', '=', shop.flowId)
      .executeTakeFirstOrThrow()
    await flow.set({ publishedVersionId: draftId }).execute()
    expect((await owner.ask('DELETE', path(file.id))).status).toBe(409)
    await flow.set({ publishedVersionId }).execute()
    expect((await owner.ask('DELETE', path(file.id))).status).toBe(204)
    await world.service.processAll()
    expect(await row(file.id)).toBe(undefined)
    const audit = await auditLog(world, { subjectId: file.id })
    expect(audit.map(({ action }) => action)).toEqual(['file.uploaded', 'file.deleted'])
  })

  test('stays while a run of an earlier version may send it, or a message with it waits', async () => {
    const { body: file } = await upload({ query: { purpose: 'flow', name: 'menu.png' } }, owner)
    const { kysely } = world.service.context.db
    const { ids, clock } = world.service.context
    const { companyId, channelId, flowId } = shop
    const own = { companyId, createdAt: clock.now() }
    const flowVersionId = ids.uuid()
    await kysely
      .insertInto('flowVersion')
      .values({
        ...own,
        id: flowVersionId,
        flowId,
        number: 3,
        definition: JSON.stringify({ steps: { show: { fileId: file.id } } }),
        triggerKind: 'manual',
        publishedAt: clock.now(),
      })
      .execute()
    const conversation = { id: 'c_menu', channelId, channelType: 'whatsapp', filedUnder: 'menu' }
    await kysely
      .insertInto('conversation')
      .values({ ...own, ...conversation })
      .execute()
    const talk = { channelId, conversationId: conversation.id }
    const runId = ids.uuid()
    const run = { ...own, ...talk, id: runId, flowId, flowVersionId, triggerKind: 'manual' }
    await kysely
      .insertInto('flowRun')
      .values({ ...run, status: 'queued', wakeAt: clock.now() })
      .execute()
    const refused = { status: 409, body: { reason: 'file_in_use' } }
    expect(await owner.ask('DELETE', path(file.id))).toMatchObject(refused)

    const ended = { status: 'completed', wakeAt: null, endedAt: clock.now() }
    await kysely.updateTable('flowRun').set(ended).where('id', '=', runId).execute()
    const message = { id: 'm_menu', ...own, ...talk, runId, fileId: file.id, type: 'image' }
    await kysely
      .insertInto('message')
      .values({
        ...message,
        direction: 'out',
        sender: 'flow',
        status: 'queued',
        outbound: '{}',
        attempt: 1,
        lane: 3,
        dueAt: clock.now(),
        occurredAt: clock.now(),
      })
      .execute()
    expect(await owner.ask('DELETE', path(file.id))).toMatchObject(refused)
    await kysely
      .updateTable('message')
      .set({ status: 'failed', failedAt: clock.now(), dueAt: null, outbound: null })
      .where('id', '=', message.id)
      .execute()
    expect((await owner.ask('DELETE', path(file.id))).status).toBe(204)
  })

  test('is no other: what is of a message is not deleted by hand', async () => {
    const id = await uploadFile(world, agent, shop.companyId)
    expect(await owner.ask('DELETE', path(id))).toMatchObject({
      status: 409,
      body: { reason: 'file_of_message' },
    })
  })
})
