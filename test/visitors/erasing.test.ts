/** A visitor of a widget is erased: nothing that says who they were or what they said is left, and counts are. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TimelineItem } from '../../src/contract/dashboard/conversation.ts'
import type { FileStore } from '../../src/files/file-store.ts'
import { loadSite } from '../../src/visitors/site.ts'
import { keepUpload } from '../../src/visitors/uploads.ts'
import { createVisitorStreams } from '../../src/visitors/visitor-streams.ts'
import { signedIn } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { PNG } from '../support/upload-file.ts'
import { createWebsite, openWidget, type Website } from '../support/visitors.ts'
import { waitUntil } from '../support/wait.ts'

let world: World
let website: Website
beforeAll(async () => {
  world = await createWorld()
  website = await createWebsite(world, 'web_widget')
})
afterAll(() => world.close())

type Visitor = Awaited<ReturnType<typeof openWidget>>
let visitor: Visitor
let path: string
let conversationId: string
beforeEach(async () => {
  visitor = await openWidget(world.url, website.key)
  await visitor.say('My card is 4242', { name: 'Sara Ali', email: 'sara@example.com' })
  const { body } = await visitor.upload(PNG, 'passport-of-sara.png')
  await visitor.ask('POST', '/messages', { clientMessageId: 'f', uploadId: body.uploadId })
  await visitor.upload(PNG, 'second-page-of-sara.png')
  const found = await world.database.db.kysely
    .selectFrom('conversation')
    .select('id')
    .where('channelId', '=', website.channelId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  conversationId = found.id
  path = `/companies/${website.shop.companyId}/conversations/${conversationId}`
})
const erase = (json: object = { confirm: true }, member = website.owner) =>
  member.ask('POST', `${path}/erase-visitor`, json)

/** Every word that the service keeps, but of what it told the merchant's server. */
async function kept(): Promise<string> {
  const { pool } = world.database.db
  const tables = [
    'conversation',
    'message',
    'visitor',
    'visitor_ticket',
    'flow_run',
    'lead',
    'file',
  ]
  const rows = await Promise.all(tables.map((table) => pool.query(`select * from ${table}`)))
  return JSON.stringify(rows.map(({ rows: all }) => all as unknown))
}

test('leaves no word, name, e-mail, file or token, and the rows', async () => {
  expect(
    (await website.owner.ask('POST', `${path}/messages`, { key: 'k', text: 'Dear Sara Ali' }))
      .status,
  ).toBe(201)
  expect(await kept()).toContain('4242')
  expect((await erase()).status).toBe(204)
  await world.service.processAll()
  const left = await kept()
  for (const word of ['4242', 'Sara Ali', 'sara@example.com', 'of-sara']) {
    expect(left).not.toContain(word)
  }
  const { body } = await website.owner.ask<{ items: TimelineItem[] }>('GET', `${path}/timeline`)
  const messages = body.items.filter((item) => item.kind === 'message')
  expect(messages.map(({ text, file }) => [text, file])).toEqual(messages.map(() => [null, null]))
  expect(messages).toHaveLength(3)
  // What was queued did not go.
  expect(messages.find(({ direction }) => direction === 'out')).toMatchObject({ status: 'failed' })
  const { rows } = await world.database.db.pool.query(
    `select state from file where channel_id = $1 and state = 'kept'`,
    [website.channelId],
  )
  expect(rows).toEqual([])
  expect((await website.owner.ask('GET', path)).body).toMatchObject({
    visitorName: null,
    visitorEmail: null,
    isErased: true,
  })
})

test('is not undone by an upload that is under way', async () => {
  const { context } = world.service
  const site = await loadSite(context.db.kysely, 'web_widget', website.key)
  const erasedBefore: Pick<FileStore, 'put'> = {
    put: async () => {
      expect((await erase()).status).toBe(204)
    },
  }
  const files = erasedBefore as FileStore
  const upload = { token: visitor.token, name: 'third-page-of-sara.png', bytes: PNG }
  const { uploadId } = await keepUpload({ ...context, files }, site, upload)
  const file = await context.db.kysely
    .selectFrom('file')
    .select(['state', 'visitorId'])
    .where('id', '=', uploadId)
    .executeTakeFirstOrThrow()
  expect(file).toEqual({ state: 'dropped', visitorId: null })
})

test('makes somebody new of whoever says something with their token', async () => {
  await erase()
  const again = await openWidget(world.url, website.key, visitor.token)
  expect(again.session).toMatchObject({ visitor: null, messages: [] })
  await visitor.say('I am back')
  const rows = await world.database.db.kysely
    .selectFrom('conversation')
    .select(['id', 'visitorName', 'lastText'])
    .where('channelId', '=', website.channelId)
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  expect(rows).toEqual([
    { id: expect.not.stringMatching(conversationId), visitorName: null, lastText: 'I am back' },
    { id: conversationId, visitorName: null, lastText: null },
  ])
})

test('is audited, may be done again, and only when it is asked for by who may', async () => {
  const agent = await signedIn(world, { accountId: website.shop.accountId, role: 'agent' })
  expect((await erase({ confirm: true }, agent)).status).toBe(403)
  expect((await erase({})).status).toBe(422)
  expect(await kept()).toContain('4242')
  expect((await erase()).status).toBe(204)
  expect((await erase()).status).toBe(204)
  const audit = await website.owner.ask<{ items: object[] }>('GET', '/audit?limit=1')
  expect(audit.body.items[0]).toMatchObject({
    action: 'visitor.erased',
    subjectId: conversationId,
  })
})

test('is of a visitor alone: a contact’s conversation is refused, another company’s is not there', async () => {
  const form = await createWebsite(world, 'website', website)
  await fetch(`${world.url}/website/v1/${form.key}/leads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fields: { email: 'noura@example.com', message: 'Keep this' } }),
  })
  const { id } = await world.database.db.kysely
    .selectFrom('conversation')
    .select('id')
    .where('channelId', '=', form.channelId)
    .executeTakeFirstOrThrow()
  const conversations = `/companies/${website.shop.companyId}/conversations`
  const ask = (of: string) =>
    website.owner.ask('POST', `${conversations}/${of}/erase-visitor`, { confirm: true })
  expect(await ask(id)).toMatchObject({
    status: 409,
    body: { reason: 'conversation_has_contact' },
  })
  expect((await ask('c_nobody')).status).toBe(404)
  expect(await kept()).toContain('Keep this')
})

test('ends a stream that is just being opened, and no other', async () => {
  const other = await openWidget(world.url, website.key)
  await other.say('Hello')
  const { rows } = await world.database.db.pool.query<{ id: string; conversation: string }>(
    `select visitor.id, conversation.id as conversation from visitor join conversation
       on conversation.filed_under like '%:' || visitor.id order by conversation.id desc limit 2`,
  )
  expect((await erase()).status).toBe(204)
  // It is not listened to yet what is erased.
  const streams = createVisitorStreams(world.service.context, world.database.connection)
  const told: string[] = []
  for (const { id, conversation } of rows) {
    streams.open({
      visitorId: id,
      conversationId: conversation,
      positionMs: 0,
      tell: () => told.push(`${conversation} told`),
      end: () => told.push(`${conversation} ended`),
    })
  }
  const ended = `${conversationId} ended`
  const heard = `${rows[0]!.conversation} told`
  await waitUntil('one to end', () => told.includes(ended) && told.includes(heard))
  expect(told.filter((what) => what.endsWith('ended'))).toEqual([ended])
  await streams.stop()
})

test('ends their streams: what is answered to what they say then comes by the next one', async () => {
  const before = await visitor.listen()
  expect((await erase()).status).toBe(204)
  await waitUntil('the stream to end', before.isEnded)
  await visitor.say('Thank you')
  const { id } = await world.database.db.kysely
    .selectFrom('conversation')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const talk = `/companies/${website.shop.companyId}/conversations/${id}/messages`
  const answer = await website.owner.ask('POST', talk, { key: 'after', text: 'You are welcome' })
  expect(answer.status).toBe(201)
  await world.service.processAll()
  const after = await visitor.listen()
  await after.hears('You are welcome')
  await after.close()
})
