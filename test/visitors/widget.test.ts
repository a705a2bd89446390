/** The website's chat, as a visitor's page uses it: over HTTP, against a real service and database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { FileNotInStore } from '../../src/modules/files/file-store.ts'
import { createFolderStore } from '../../src/modules/files/folder-store.ts'
import { DAY_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { VISITOR_LIMITS } from '../../src/core/limits/visitors.ts'
import { tokenHash } from '../../src/infra/secrets/token-hash.ts'
import { fileOf } from '../support/records/files.ts'
import { visitorsOf } from '../support/records/visitors.ts'
import { repeatMessage } from '../support/records/messages.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { openWorld } from '../support/open-world.ts'
import { visitorRequest, createWebsite, openWidget, SITE } from '../support/visitors.ts'
import { PNG } from '../support/upload-file.ts'
import { waitUntil } from '../support/wait.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

const folder = mkdtempSync('/tmp/wasla-files-')
const store = createFolderStore(folder)
const world = await openWorld({ fileStore: store })
const website = await createWebsite(world, 'web_widget')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const visitor = () => openWidget(world.url, website.key)
const conversations = () => conversationsOf(world, { channelId: website.channelId })
async function eventsOf(type: string) {
  await world.service.processAll()
  return world.receiver.events(type)
}
const countVisitors = async () => (await visitorsOf(world, website)).length
const countContacts = async () => (await contactsOf(world, website.shop)).length

describe('A client that opens the widget', () => {
  test('gets a token of 32 random bytes, of which only a hash is kept', async () => {
    const before = await countVisitors()
    const { session, token } = await visitor()
    expect(session).toMatchObject({ visitor: null, messages: [], hasMore: false })
    expect(Buffer.from(token.split('.')[1]!, 'base64url')).toHaveLength(32)
    expect(await countVisitors()).toBe(before)
    expect(await conversations()).toEqual([])
  })

  test('loads the script in an encoding that it accepts, with a separate ETag for each', async () => {
    const load = (headers: Record<string, string>) =>
      fetch(`${world.url}/widget/v1/loader.js`, { headers })
    const packed = await load({ 'accept-encoding': 'gzip' })
    const plain = await load({ 'accept-encoding': 'gzip;q=0' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await packed.text()).toBe(await plain.text())
    const [packedTag, tag] = [packed, plain].map(({ headers }) => headers.get('etag')!)
    expect(packedTag).not.toBe(tag)
    const again = { 'accept-encoding': 'gzip', 'if-none-match': packedTag! }
    expect((await load(again)).status).toBe(304)
    expect((await load({ ...again, 'accept-encoding': 'identity' })).status).toBe(200)
  })

  systemTest('is refused for an unknown key and for a disconnected widget', async () => {
    const unknown = await openWidget(world.url, 'no-such-widget-key')
    expect(unknown.session).toMatchObject({ status: 404, reason: 'no_such_site' })
    const form = await createWebsite(world, 'website', website)
    expect((await openWidget(world.url, form.key)).session).toMatchObject({ status: 404 })
    const other = await createWebsite(world, 'web_widget', website)
    const path = `/companies/${website.shop.companyId}/channels/${other.channelId}/disconnect`
    await website.owner.ask('POST', path)
    expect((await openWidget(world.url, other.key)).session).toMatchObject({ status: 404 })
  })
})

systemDescribe('A first message', () => {
  test('begins a conversation of a visitor who is no contact', async () => {
    const contacts = await countContacts()
    const sara = await visitor()
    const said = await sara.say('Is anyone there?')
    expect(said).toMatchObject({ status: 202, body: { id: expect.stringMatching(/^m_/) } })
    const [conversation] = await conversations()
    expect(conversation).toMatchObject({ contactId: null, visitorName: null, needsStaff: true })
    expect(await eventsOf('conversation.started')).toMatchObject([
      { data: { conversation: { channelType: 'web_widget' }, contact: null } },
    ])
    expect(await eventsOf('message.received')).toMatchObject([
      { data: { contact: null, message: { type: 'text', text: 'Is anyone there?' } } },
    ])
    expect(await eventsOf('contact.created')).toEqual([])
    expect(await countContacts()).toBe(contacts)
    expect(JSON.stringify(await visitorsOf(world, website))).not.toContain(sara.token)
  })

  test('must have the fields that the merchant asks for, and the refusal names a missing one', async () => {
    await website.edit({ asksName: 'required', asksEmail: 'required' })
    const omar = await visitor()
    const expected = { status: 422, body: { errors: [{ field: 'email', code: 'missing' }] } }
    expect(await omar.say('Hello', { name: 'Omar' })).toMatchObject(expected)
    expect((await omar.say('Hello', { name: 'Omar', email: 'o@example.com' })).status).toBe(202)
    expect((await omar.say('And another thing')).status).toBe(202)
    await website.edit({ asksName: 'no', asksEmail: 'no' })
  })
})

describe('A visitor’s message', () => {
  const NOBODYS = '01890000-0000-7000-8000-000000000000'

  test('with the same id again is stored once', async () => {
    const yousef = await visitor()
    const json = { clientMessageId: 'same', text: 'Once' }
    const say = () => yousef.ask<{ id: string }>('POST', '/messages', json)
    const answers = await Promise.all([say(), say(), say()])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(await yousef.messages()).toMatchObject([
      { from: 'visitor', text: 'Once', clientMessageId: 'same' },
    ])
  })

  test('with an id that another visitor has used is stored for this visitor', async () => {
    const [first, second] = [await visitor(), await visitor()]
    await first.ask('POST', '/messages', { clientMessageId: 'c-0001', text: 'Mine' })
    await second.ask('POST', '/messages', { clientMessageId: 'c-0001', text: 'Theirs' })
    expect((await first.messages()).map(({ text }) => text)).toEqual(['Mine'])
    expect((await second.messages()).map(({ text }) => text)).toEqual(['Theirs'])
  })

  test.each([
    ['nothing', { clientMessageId: 'a' }, 'text'],
    ['no id', { text: 'Hi' }, 'clientMessageId'],
    ['more than 4,096 characters', { clientMessageId: 'a', text: 'x'.repeat(4_097) }, 'text'],
    ['a file that is not theirs', { clientMessageId: 'a', uploadId: NOBODYS }, 'uploadId'],
    ['what nobody knows', { clientMessageId: 'a', text: 'Hi', admin: true }, 'admin'],
  ])('is refused with %s, and names the field', async (_what, json, field) => {
    const answer = await (await visitor()).ask<{ errors: unknown[] }>('POST', '/messages', json)
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } })
  })

  test('is refused when it is no JSON, or not sent as such', async () => {
    const { token } = await visitor()
    const headers = { authorization: `Bearer ${token}` }
    const post = (type: string, body: string) => {
      const asked = { headers: { ...headers, 'content-type': type }, body }
      return visitorRequest(world.url, 'POST', '/widget/v1/messages', asked)
    }
    expect((await post('application/json', '{')).status).toBe(400)
    expect((await post('text/plain', '{}')).status).toBe(415)
    expect((await post('application/json', `{"text":"${'x'.repeat(40_000)}"}`)).status).toBe(413)
  })
})

describe('A hostile page', () => {
  test('without the token reads nothing, and a token works for its own widget only', async () => {
    const sara = await visitor()
    await sara.say('A secret')
    const other = await createWebsite(world, 'web_widget', website)
    for (const token of ['', 'x', `${website.key}.${'A'.repeat(43)}`]) {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await visitorRequest(world.url, 'GET', '/widget/v1/messages', { headers })
      expect(JSON.stringify(answer.body)).not.toContain('A secret')
    }
    const moved = sara.token.replace(website.key, other.key)
    const elsewhere = await openWidget(world.url, other.key, moved)
    expect(elsewhere.session.messages).toEqual([])
    const asked = await openWidget(world.url, other.key, sara.token)
    expect(asked.session.messages).toEqual([])
    expect(asked.token).not.toBe(sara.token)
  })

  test('on another origin can send no request that changes anything, and read nothing', async () => {
    const { token } = await visitor()
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: SITE },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      const answer = await visitorRequest(world.url, 'POST', '/widget/v1/messages', {
        json: { clientMessageId: 'a', text: 'Hi' },
        headers: { ...headers, authorization: `Bearer ${token}` },
      })
      expect(answer.status).toBe(403)
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('may not frame the widget: the policy names the allowed sites', async () => {
    const policyOf = async () => {
      const { headers } = await visitorRequest(world.url, 'GET', `/widget/v1/frame/${website.key}`)
      return headers.get('content-security-policy')!
    }
    const policy = await policyOf()
    expect(policy).toContain(`frame-ancestors ${SITE}`)
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-/)
    expect(policy).not.toContain('unsafe')
    await website.edit({ origins: [] })
    expect(await policyOf()).toContain("frame-ancestors 'none'")
    await website.edit({ origins: [SITE] })
  })

  test('cannot read the look of the widget; an allowed one can', async () => {
    const ask = (origin: string) =>
      visitorRequest(world.url, 'GET', `/widget/v1/settings/${website.key}`, {
        headers: { origin },
      })
    expect((await ask('https://evil.example')).status).toBe(403)
    const allowed = await ask(SITE)
    expect(allowed.headers.get('access-control-allow-origin')).toBe(SITE)
    expect(allowed.body).toMatchObject({ accent: '#0b5f73', language: 'en' })
  })
})

describe('A file', () => {
  /** Makes a visitor who has sent a picture. */
  async function withFile() {
    const sara = await visitor()
    const { body: upload } = await sara.upload(PNG)
    await sara.ask('POST', '/messages', { clientMessageId: 'f', uploadId: upload.uploadId })
    return { sara, upload }
  }

  systemTest(
    'is recognised by its bytes, sent with a message, and readable by its visitor alone',
    async () => {
      const sara = await visitor()
      const { body: upload } = await sara.upload(PNG, 'x.exe')
      expect(upload).toMatchObject({ kind: 'image' })
      await sara.ask('POST', '/messages', { clientMessageId: 'f', uploadId: upload.uploadId })
      const [line] = await sara.messages()
      expect(line).toMatchObject({ type: 'image', text: null, file: { mediaType: 'image/png' } })
      const path = `/widget/v1/files/${line!.file!.id}`
      const read = (token: string) =>
        fetch(`${world.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
      const mine = await read(sara.token)
      expect(Buffer.from(await mine.arrayBuffer())).toEqual(Buffer.from(PNG))
      expect(mine.headers.get('content-security-policy')).toContain('sandbox')
      const stranger = await visitor()
      await stranger.say('Hi')
      expect((await read(stranger.token)).status).toBe(404)
      expect((await eventsOf('message.received')).at(-2)).toMatchObject({
        data: { message: { type: 'image', text: null } },
      })
    },
  )

  systemTest('is not opened for a HEAD request: no reader would close it', async () => {
    const { sara, upload } = await withFile()
    const open = vi.spyOn(store, 'read')
    const asked = await fetch(`${world.url}/widget/v1/files/${upload.uploadId}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${sara.token}` },
    })
    expect([asked.status, asked.headers.get('content-length')]).toEqual([200, `${PNG.length}`])
    expect(open).not.toHaveBeenCalled()
    open.mockRestore()
  })

  test('is refused with an explanation when the store does not return it', async () => {
    const { sara, upload } = await withFile()
    const fault = Object.assign(new Error('the disk is away'), { code: 'EIO' })
    const gone = new FileNotInStore({ companyId: website.shop.companyId, id: upload.uploadId })
    const open = vi.spyOn(store, 'read').mockRejectedValueOnce(fault).mockRejectedValueOnce(gone)
    const read = () => sara.ask('GET', `/files/${upload.uploadId}`)
    expect(await read()).toMatchObject({
      status: 503,
      body: { code: 'service_unavailable', reason: 'store_failed', params: { fault: 'EIO' } },
    })
    expect(await read()).toMatchObject({ status: 404, body: { reason: 'file_gone' } })
    open.mockRestore()
  })

  test('is refused when it is of another kind, empty or another visitor’s', async () => {
    const sara = await visitor()
    const [script, nothing] = [Buffer.from('<script>alert(1)</script>\0'), Buffer.alloc(0)]
    expect((await sara.upload(new Uint8Array(script), 'a.png')).status).toBe(422)
    expect((await sara.upload(new Uint8Array(nothing))).status).toBe(422)
    const { body } = await sara.upload(PNG)
    const other = await visitor()
    await other.say('Hi')
    const json = { clientMessageId: 'f', uploadId: body.uploadId }
    expect((await other.ask('POST', '/messages', json)).status).toBe(422)
  })

  systemTest('without a message is deleted after a day; one that was sent stays', async () => {
    const sara = await visitor()
    const [kept, left] = [(await sara.upload(PNG)).body, (await sara.upload(PNG)).body]
    await sara.ask('POST', '/messages', { clientMessageId: 'f', uploadId: kept.uploadId })
    world.clock.advance(25 * 60 * 60 * 1_000)
    await world.service.processAll()
    expect(await fileOf(world, kept.uploadId)).toMatchObject({ state: 'kept' })
    expect(await fileOf(world, left.uploadId)).toBeUndefined()
  })
})

test('A long conversation is read by pages, each message once, the oldest of a page first', async () => {
  const sara = await visitor()
  const max = VISITOR_LIMITS.pageMessages
  const { body } = await sara.say('0')
  await repeatMessage(world, body.id, max - 1)
  type Read = { messages: { id: string; text: string }[]; hasMore: boolean }
  const page = async (query = '') => (await sara.ask<Read>('GET', `/messages${query}`)).body
  const textsOf = ({ messages }: Read) => messages.map(({ text }) => Number(text))
  const all = await page()
  expect(textsOf(all)).toEqual(Array.from({ length: max }, (_, nth) => nth))
  expect(all.hasMore).toBe(false)
  await sara.say(String(max))
  const last = await page()
  expect(textsOf(last)).toEqual(Array.from({ length: max }, (_, nth) => nth + 1))
  const before = await page(`?before=${last.messages[0]!.id}`)
  expect([last.hasMore, before.hasMore, textsOf(before)]).toEqual([true, false, [0]])
})

systemDescribe('Limits', () => {
  test('a visitor sends a limited number of messages a minute, and learns when to go on', async () => {
    const sara = await visitor()
    const answers = []
    for (let n = 0; n <= VISITOR_LIMITS.messagesPerVisitorPerMinute; n += 1) {
      answers.push(await sara.say(`${n}`))
    }
    expect(answers.slice(-2).map(({ status }) => status)).toEqual([202, 429])
    expect(answers.at(-1)!.headers.get('retry-after')).toBe('60')
  })

  test('a path that only ends like a file of the widget counts as any request of its address', async () => {
    const ask = (path: string) => fetch(`${world.url}/widget/v1/${path}`)
    world.clock.advance(MINUTE_MS)
    const statuses = new Set<number>()
    for (let n = 0; n <= VISITOR_LIMITS.requestsPerAddressPerMinute; n += 1) {
      statuses.add((await ask('files/frame.js')).status)
    }
    expect(statuses).toContain(429)
    expect((await ask('frame.js')).status).toBe(200)
    world.clock.advance(MINUTE_MS)
  })
})

test('A visit is recorded once a day, so that a visitor who returns is not forgotten', async () => {
  const sara = await visitor()
  await sara.say('Hello')
  const seen = async () => {
    await openWidget(world.url, website.key, sara.token)
    const hash = tokenHash(sara.token)
    const visitors = await visitorsOf(world, website)
    return visitors.find((one) => one.tokenHash.equals(hash))!.seenAt
  }
  const first = await seen()
  world.clock.advance(DAY_MS - 1)
  expect(await seen()).toEqual(first)
  world.clock.advance(1)
  expect(await seen()).toEqual(world.clock.now())
})

test('A token is replaced after a year, and the old one stops working', async () => {
  const sara = await visitor()
  await sara.say('Long ago')
  world.clock.advance(VISITOR_LIMITS.tokenMs)
  const again = await openWidget(world.url, website.key, sara.token)
  expect(again.token).not.toBe(sara.token)
  expect(again.session.messages).toMatchObject([{ text: 'Long ago' }])
  expect((await openWidget(world.url, website.key, sara.token)).session.messages).toEqual([])
  await waitUntil('the new one to be good', async () => (await again.messages()).length === 1)
})
