/** Files over the dashboard's API: they are uploaded unchanged, and served so that no browser runs them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CompanyView } from '../../src/contract/dashboard/company.ts'
import type { FileView } from '../../src/contract/dashboard/file.ts'
import { createFolderStore } from '../../src/modules/files/folder-store.ts'
import type { FileKey, FileStore } from '../../src/modules/files/file-store.ts'
import { FILE_LIMITS } from '../../src/core/limits/files.ts'
import { postHook } from '../support/post-hook.ts'
import { signedIn, type Member, itemsOf } from '../support/dashboard.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { actionsOn } from '../support/records/audit.ts'
import { addFile, fileOf, filesOf } from '../support/records/files.ts'
import { addQueuedMessage, settleMessage } from '../support/records/outbox.ts'
import { runOf } from '../support/records/runs.ts'
import { createShop, orderDraft, ORDER_READY_STEPS } from '../support/shop.ts'
import { askUpload, PNG, uploadFile } from '../support/upload-file.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

let owner: Member
let agent: Member
const folder = mkdtempSync('/tmp/wasla-files-')
const store: FileStore = createFolderStore(folder)
const world = await openWorld({ fileStore: store })
const shop = await createShop(world)
/** The clock moves by days, and sessions expire. */
beforeEach(async () => {
  owner = await signedIn(world, shop)
  agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const company = `/companies/${shop.companyId}`
const path = (id: string) => `${company}/files/${id}`
const upload = (options: Parameters<typeof askUpload>[3] = {}, by = agent) =>
  askUpload(world, by, shop.companyId, options)
const newFile = (options?: Parameters<typeof askUpload>[3]) =>
  uploadFile(world, agent, shop.companyId, options)
const content = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${world.url}/api${path(id)}/content`, {
    method,
    headers: { authorization: `Bearer ${agent.token}`, ...headers },
  })
describe('An upload', () => {
  test('is stored with the type of its bytes, under a name that is made harmless', async () => {
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

  systemTest('has between one byte and 16 MB', async () => {
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

  test('is the body alone, not a form that a page of another site could post', async () => {
    for (const type of ['multipart/form-data', 'text/plain', 'application/json', 'image/png']) {
      expect(await upload({ type })).toMatchObject({ status: 415 })
    }
  })

  test('is deleted after a day if it is never sent, from the table and from the store', async () => {
    const id = await newFile()
    world.clock.advance(FILE_LIMITS.unsentKeptMs - 1)
    await world.service.processAll()
    expect(await fileOf(world, id)).toMatchObject({ state: 'kept' })
    world.clock.advance(1)
    await world.service.processAll()
    expect(await fileOf(world, id)).toBe(undefined)
    await expect(store.read({ companyId: shop.companyId, id })).rejects.toThrow('no file')
  })

  test('is refused if the store fails, and leaves no row behind', async () => {
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
    const left = (await filesOf(world, shop)).filter(({ state }) =>
      ['awaited', 'dropped'].includes(state),
    )
    expect(left).toEqual([])
  })

  test('leaves no bytes behind if it was dropped before they were stored', async () => {
    const put = store.put
    let key: FileKey | undefined
    store.put = async (lateKey, bytes) => {
      world.clock.advance(FILE_LIMITS.uploadMs)
      await world.service.processAll()
      await put(lateKey, bytes)
      key = lateKey
    }
    const late = await upload()
    store.put = put
    expect(late.status).toBe(404)
    await expect(store.read(key!)).rejects.toThrow('no file')
  })

  test("is refused once the account's members have uploaded as much as is allowed", async () => {
    const { shop: full, owner: member } = await ownedShop(world)
    const project = await member.ask<CompanyView>('POST', '/companies', { name: 'Branch' })
    const size = FILE_LIMITS.uploadedBytesOfAccount - PNG.length
    // The limit counts files of the account's projects, but neither files of customers nor sent files.
    const { channelId } = full
    await addFile(world, full, { purpose: 'received', state: 'lost', channelId, size })
    await addFile(world, full, { purpose: 'message', state: 'dropped', size })
    await addFile(world, { companyId: project.body.id }, { purpose: 'message', size })
    const ask = () => askUpload(world, member, full.companyId)
    const [one, two] = await Promise.all([ask(), ask()])
    expect([one.status, two.status].toSorted()).toEqual([201, 409])
    expect([one, two].find(({ status }) => status === 409)!.body).toMatchObject({
      code: 'limit_reached',
      reason: 'uploads_full',
    })
  })
})

describe('A stored file', () => {
  test('is shown in a sandbox if it is a picture by its bytes, and validated at each request', async () => {
    const id = await newFile({ query: { name: 'a "b".png' } })
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
  ])('%s is only downloaded, whatever its name is', async ([, text]) => {
    const bytes = Buffer.from(text!)
    const id = await newFile({ bytes, query: { name: 'a.png' } })
    const { headers } = await content(id)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  })

  test('is served in part, as players ask for it', async () => {
    const bytes = Buffer.from('0123456789')
    const id = await newFile({ bytes })
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

  test('is not opened for a HEAD request', async () => {
    const id = await newFile()
    const open = vi.spyOn(store, 'read')
    const answer = await content(id, {}, 'HEAD')
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, `${PNG.length}`])
    expect(open).not.toHaveBeenCalled()
    open.mockRestore()
  })

  test('is refused in words if the store does not return it', async () => {
    const id = await newFile()
    const fault = Object.assign(new Error('the disk is away'), { code: 'EIO' })
    const open = vi.spyOn(store, 'read').mockRejectedValueOnce(fault)
    const answer = await content(id)
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([503, null])
    expect(answer.headers.get('content-type')).toContain('json')
    expect(await answer.json()).toMatchObject({ reason: 'store_failed', params: { fault: 'EIO' } })
    open.mockRestore()
  })
})

describe('A file that flows send', () => {
  const inUse = { status: 409, body: { reason: 'file_in_use' } }
  const remove = (id: string, by = owner) => by.ask('DELETE', path(id))
  /** Draws the shop's flow, with a step that shows the file where one is given. */
  async function draw(fileId?: string) {
    const show = { kind: 'send_media', fileId, caption: null, next: null }
    const { tell, ask } = ORDER_READY_STEPS
    const asking = { ...ask, next: fileId ? 'show' : null, onTimeout: null }
    const drawn = await owner.ask(
      'PUT',
      `${company}/flows/${shop.flowId}/draft`,
      orderDraft(shop, { steps: { tell, ask: asking, ...(fileId && { show }) } }),
    )
    expect(drawn.status).toBe(200)
  }
  const publish = async () => {
    const published = await owner.ask('POST', `${company}/flows/${shop.flowId}/publish`)
    expect(published.status).toBe(200)
  }

  systemTest('is uploaded and deleted by Owners and Admins, and stays until then', async () => {
    const asked = { query: { purpose: 'flow', name: 'menu.png' } }
    expect(await upload(asked, agent)).toMatchObject({ status: 403 })
    const { body: file } = await upload(asked, owner)
    world.clock.advance(2 * FILE_LIMITS.unsentKeptMs)
    await world.service.processAll()
    const list = `${company}/files`
    owner = await signedIn(world, shop)
    agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    expect(await itemsOf<FileView>(owner, list)).toEqual([file])
    expect(await agent.ask('GET', list)).toMatchObject({ status: 403 })
    expect(await remove(file.id, agent)).toMatchObject({ status: 403 })
    expect((await remove(file.id)).status).toBe(204)
    await world.service.processAll()
    expect(await fileOf(world, file.id)).toBe(undefined)
    expect(await actionsOn(world, { subjectId: file.id })).toEqual([
      'file.uploaded',
      'file.deleted',
    ])
  })

  systemTest('stays while a draft, a published flow, a run or a message may send it', async () => {
    const { body: file } = await upload({ query: { purpose: 'flow', name: 'menu.png' } }, owner)
    await draw(file.id)
    expect(await remove(file.id)).toMatchObject(inUse)
    await publish()
    await draw()
    expect(await remove(file.id)).toMatchObject(inUse)
    const { id: runId } = await postHook(shop.hookUrl)
    await publish()
    expect(await remove(file.id)).toMatchObject(inUse)

    expect((await owner.ask('POST', `${company}/runs/${runId}/cancel`)).status).toBe(204)
    await world.service.processAll()
    const { conversationId } = await runOf(world, runId!)
    const where = { ...shop, conversationId }
    const waiting = { runId, fileId: file.id, type: 'image', sender: 'flow' }
    const messageId = await addQueuedMessage(world, where, waiting)
    expect(await remove(file.id)).toMatchObject(inUse)
    await settleMessage(world, messageId, 'failed')
    expect((await remove(file.id)).status).toBe(204)
  })

  test('cannot be a file of a message, which no member may delete', async () => {
    const refused = { status: 409, body: { reason: 'file_of_message' } }
    expect(await remove(await newFile())).toMatchObject(refused)
  })
})
