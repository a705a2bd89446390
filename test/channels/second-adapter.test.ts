/**
 * A channel of another provider is its folder and a line of the registry: here an adapter that the service
 * has never seen is connected, written to, and answered, by the same verbs and at an address of its own.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChannelView, ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import type { SyncedTemplates } from '../../src/contract/dashboard/template.ts'
import { FlowDefinition } from '../../src/contract/flow-definition.ts'
import { EVENT_DATA } from '../../src/contract/webhook-envelope.ts'
import { addRun } from '../support/records/runs.ts'
import { addFlowVersion } from '../support/records/flows.ts'
import { channelsOf } from '../support/records/channels.ts'
import { auditLog } from '../support/records/audit.ts'
import { messagesOf } from '../support/records/messages.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createSecondAdapter } from '../support/second-provider/adapter.ts'
import { startSecondProvider } from '../support/second-provider/provider.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { queueFile } from '../support/queue-file.ts'
import { PNG, uploadFile } from '../support/upload-file.ts'

const TOKEN = '77:a-token-of-the-bot'

let provider: Awaited<ReturnType<typeof startSecondProvider>>
let world: World
let shop: Shop
let owner: Member
let channel: ChannelView
let secret: string
beforeAll(async () => {
  provider = await startSecondProvider()
  provider.tokens.add(TOKEN)
  world = await createWorld({ channelAdapters: { telegram: createSecondAdapter(provider.url) } })
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  const connected = await connect({ botToken: TOKEN })
  channel = connected.body.channel
  secret = connected.body.shownOnce.webhookSecret!
})
afterAll(async () => {
  await world.close()
  await provider.close()
})

const channels = () => `/companies/${shop.companyId}/channels`
const connect = (credentials: object) =>
  owner.ask<ConnectedChannel>('POST', channels(), {
    type: 'telegram',
    name: 'The bot',
    credentials,
  })
const post = (update: object, by: string | null = secret) =>
  provider.post(channel.webhookUrl!, by, { bot: '77', ...update })

let serial = 0
const written = (chat: string, text: string) => ({
  written: {
    id: `update-${(serial += 1)}`,
    chat,
    by: 'Sara',
    text,
    at: world.clock.now().getTime(),
  },
})

async function startFlow(): Promise<string> {
  const definition = FlowDefinition.parse({
    channelId: channel.id,
    trigger: { kind: 'keyword', words: ['order'] },
    start: 'ask',
    steps: {
      ask: { kind: 'send_message', text: 'Which order, {{contact.name}}?', next: 'wait' },
      wait: {
        kind: 'wait_for_reply',
        saveAs: 'order',
        timeoutMinutes: 60,
        next: 'thank',
        onTimeout: 'done',
      },
      thank: { kind: 'send_message', text: 'We look for {{vars.order}}.', next: 'done' },
      done: { kind: 'end' },
    },
  })
  const own = { ...shop, channelId: channel.id }
  const versionId = await addFlowVersion(world, own, {
    definition,
    triggerKind: 'keyword',
    channelId: channel.id,
  })
  const { id: conversationId, contactId } = await conversationOf('500')
  const queued = { triggerKind: 'keyword', status: 'queued', wakeAt: world.clock.now() }
  return addRun(world, { ...own, versionId }, { conversationId, contactId, ...queued })
}

const conversationOf = (chat: string) =>
  conversationWith(world, { channelId: channel.id }, `77:${chat}`)
const messagesIn = () => messagesOf(world, { channelId: channel.id })

describe('A channel of a second provider', () => {
  test('is connected by the form of its own, and of its secrets nobody sees more than an end', async () => {
    expect(channel).toMatchObject({
      type: 'telegram',
      credentials: {},
      secretEnds: { botToken: TOKEN.slice(-4) },
      country: null,
      isConnected: true,
      webhookUrl: `${world.url}/webhooks/telegram`,
    })
    expect(secret.length).toBeGreaterThan(20)
    const everything = JSON.stringify([
      (await owner.ask('GET', channels())).body,
      await channelsOf(world, shop),
      await auditLog(world, { accountId: shop.accountId }),
      world.logged,
    ])
    for (const hidden of [TOKEN, secret]) expect(everything).not.toContain(hidden)
  })

  test('is refused where the provider does not accept the token, or the form is another one', async () => {
    const refused = await connect({ botToken: '78:unknown-to-the-provider' })
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'credentials.botToken', code: 'provider_refused' }] },
    })
    const wrong = await connect({ accessToken: 'of WhatsApp' })
    expect(wrong).toMatchObject({ status: 422 })
    expect(JSON.stringify(wrong.body)).toContain('credentials.accessToken')
    expect(await connect({ botToken: TOKEN })).toMatchObject({ status: 409 })
  })

  test('is checked, and gets another secret of ours without its token', async () => {
    const path = `${channels()}/${channel.id}`
    const check = await owner.ask('POST', `${path}/check`)
    expect(check.body).toEqual({ ok: true, label: 'Bot 77' })
    const edited = await owner.ask<ConnectedChannel>('PATCH', path, {
      credentials: { webhookSecret: 'chosen-by-hand' },
    })
    expect(edited.body.shownOnce).toEqual({ webhookSecret: 'chosen-by-hand' })
    expect(await post(written('400', 'too late'))).toBe(401)
    secret = 'chosen-by-hand'
    expect(await post({})).toBe(200)
  })

  test('is read page after page for its templates', async () => {
    const read = await owner.ask<SyncedTemplates>(
      'POST',
      `${channels()}/${channel.id}/templates/sync`,
    )
    expect(read.body).toEqual({ templates: 3 })
  })
})

describe('What a second provider posts', () => {
  test('is refused without its proof, and nobody answers at an address without an adapter', async () => {
    const update = written('401', 'not signed')
    expect(await post(update, null)).toBe(401)
    expect(await post(update, 'a wrong secret')).toBe(401)
    expect(await post({ bot: '78', ...update })).toBe(401)
    expect(await messagesIn()).toEqual([])
    for (const nobody of ['pigeons', 'pigeon', '', 'toString']) {
      expect(await provider.post(`${world.url}/webhooks/${nobody}`, secret, update)).toBe(404)
    }
    expect((await fetch(channel.webhookUrl!)).headers.get('allow')).toBe('POST')
  })

  test('is saved and told of once, by a customer whose id no merchant is shown', async () => {
    const update = written('500', 'hello')
    expect([await post(update), await post(update)]).toEqual([200, 200])
    await processUnwoken(world)
    expect(await messagesIn()).toHaveLength(1)
    const [event, ...more] = world.receiver.events('message.received')
    expect(more).toEqual([])
    const data = EVENT_DATA['message.received'].parse(event!.data)
    expect(data).toMatchObject({
      message: { text: 'hello', type: 'text' },
      contact: { name: 'Sara', phone: null, whatsAppId: null },
      conversation: { channelId: channel.id, channelType: 'telegram' },
    })
    expect(world.receiver.events('conversation.started')).toHaveLength(1)
    expect(world.receiver.events('contact.created')).toHaveLength(1)
  })

  test('is answered by a flow, whose messages its receipts move on', async () => {
    const runId = await startFlow()
    await processUnwoken(world)
    expect(provider.sent).toMatchObject([{ chat: '500', text: 'Which order, Sara?' }])
    const [question] = provider.sent
    expect(await post({ seen: { id: question!.id, at: world.clock.now().getTime() } })).toBe(200)
    const row = (await messagesIn()).find(
      ({ providerMessageId }) => providerMessageId === question!.id,
    )
    expect(row).toMatchObject({ id: question!.ourReference, status: 'read' })

    expect(await post(written('500', 'A-17'))).toBe(200)
    await processUnwoken(world)
    expect(provider.sent.map(({ text }) => text)).toEqual([
      'Which order, Sara?',
      'We look for A-17.',
    ])
    const [completed] = world.receiver.events('flow.completed')
    expect(completed!.data).toMatchObject({ run: { id: runId } })
  })

  test('with a picture is kept, and a picture goes back, by its adapter alone', async () => {
    provider.pictures.set('picture-1', PNG)
    const update = written('500', 'Look')
    expect(await post({ written: { ...update.written, picture: 'picture-1' } })).toBe(200)
    await processUnwoken(world)
    const message = (await messagesIn()).findLast(({ type }) => type === 'image')!
    const path = `/companies/${shop.companyId}/files/${message.fileId}`
    expect((await owner.ask('GET', path)).body).toMatchObject({
      state: 'kept',
      mediaType: 'image/png',
      size: PNG.length,
    })
    const fileId = await uploadFile(world, owner, shop.companyId)
    const { id: conversationId } = await conversationOf('500')
    const { companyId } = shop
    await queueFile(world, { companyId, conversationId, fileId, personId: owner.personId })
    await processUnwoken(world)
    expect(provider.sent.at(-1)).toMatchObject({ chat: '500', file: PNG.toString('base64') })
  })

  test('that says STOP opts the customer out', async () => {
    expect(await post(written('500', 'STOP'))).toBe(200)
    await processUnwoken(world)
    expect(world.receiver.events('contact.opted_out')).toHaveLength(1)
  })
})
