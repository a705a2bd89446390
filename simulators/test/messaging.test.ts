/**
 * The simulators of Messenger and Instagram, verified by an independent client and by recorded webhooks, which have
 * the same keys at every depth.
 */
import { createHmac } from 'node:crypto'
import { MessengerClient } from 'messaging-api-messenger'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signMetaWebhook, startSimulators } from '../index.ts'
import type { Product } from '../messaging/messaging-account.ts'
import { createMovedClock } from '../../test/support/moved-clock.ts'
import { serveLocally } from '../../test/support/local-server.ts'
import { loadRecordedPayloads } from '../../test/support/recorded-payloads.ts'
import { PNG } from '../../test/support/upload-file.ts'
import { keysOf } from './keys-of.ts'

const PAGE = '100000000000001'
const TOKEN = 'EAAG-token'
const SECRET = 'app-secret'
const RED = {
  text: 'Which?',
  quickReplies: [{ contentType: 'text' as const, title: 'Red', payload: 'red' }],
}

type Posted = { body: Record<string, unknown>; isSigned: boolean }

/** Starts a simulated page whose webhooks are recorded here, with a customer who has written once. */
async function play(product: Product) {
  const posted: Posted[] = []
  const receiver = await serveLocally(({ headers }, response, bytes) => {
    const isSigned = headers['x-hub-signature-256'] === signMetaWebhook(bytes, SECRET)
    posted.push({ body: JSON.parse(bytes.toString()) as Posted['body'], isSigned })
    response.end()
  })
  const clock = createMovedClock()
  const both = await startSimulators({ clock }, { messenger: {}, instagram: {} })
  const { [product]: simulator, close } = both
  onTestFinished(async () => {
    await close()
    await receiver.close()
  })
  simulator.addAccount({
    id: PAGE,
    name: 'Riyadh shop',
    accessToken: TOKEN,
    appSecret: SECRET,
    webhookUrl: `${receiver.url}/`,
  })
  const person = simulator.addPerson(PAGE, 'Sara Ali')
  const customer = { accountId: PAGE, personId: person.id }
  simulator.sendText(customer, 'Hello')
  await simulator.idle()
  const clientWith = (accessToken: string) =>
    new MessengerClient({ accessToken, version: '8.0', origin: simulator.baseUrl })
  return { simulator, posted, customer, client: clientWith(TOKEN), clientWith, clock }
}

describe('an independent client of Messenger', () => {
  test('asks who it speaks for and who writes, and sends text, quick replies and a file', async () => {
    const { simulator, client, customer } = await play('messenger')
    const { personId } = customer
    expect(await client.getPageInfo()).toMatchObject({ id: PAGE, name: 'Riyadh shop' })
    expect(await client.getUserProfile(personId)).toMatchObject({
      firstName: 'Sara',
      lastName: 'Ali',
    })
    const sent = await client.sendText(personId, 'Yes?')
    expect(sent).toEqual({ recipientId: personId, messageId: expect.any(String) as string })
    await client.sendMessage(personId, RED)
    const { attachmentId } = await client.uploadImage(PNG, { filename: 'a.png' })
    await client.sendImage(personId, { attachmentId })
    expect(simulator.sent().map(({ text, attachments }) => text ?? attachments[0]!.type)).toEqual([
      'Yes?',
      'Which?',
      'image',
    ])
  })

  test('shows that it writes, for a while or until it has sent something', async () => {
    const { simulator, client, customer, clock } = await play('messenger')
    const { personId } = customer
    const left = () => simulator.phones.chat(customer).typingMs
    await client.typingOn(personId)
    expect(simulator.typing()).toMatchObject([{ account: PAGE, customer: personId }])
    expect(left()).toBe(20_000)
    clock.advance(5_000)
    expect(left()).toBe(15_000)
    await client.sendText(personId, 'Yes?')
    expect(left()).toBe(0)
    await expect(client.typingOn('1')).rejects.toThrow(/No matching user found/)
  })

  test('is refused where its proof of the app secret is of another app', async () => {
    const { simulator } = await play('messenger')
    const me = async (secret: string) => {
      const proof = createHmac('sha256', secret).update(TOKEN).digest('hex')
      const url = `${simulator.baseUrl}/v25.0/me?access_token=${TOKEN}&appsecret_proof=${proof}`
      const answer = await fetch(url)
      return [answer.status, await answer.text()]
    }
    expect(await me(SECRET)).toEqual([200, expect.stringContaining(PAGE)])
    expect(await me('made up')).toEqual([400, expect.stringContaining('Invalid appsecret_proof')])
  })

  test('is refused in Meta’s words', async () => {
    const { simulator, client, clientWith, customer, clock } = await play('messenger')
    const { personId } = customer
    await expect(client.sendText(personId, 'x'.repeat(2_001))).rejects.toThrow(/2000/)
    await expect(client.sendText('1', 'Hello')).rejects.toThrow(/No matching user found/)
    simulator.setBlocked(customer, true)
    await expect(client.sendText(personId, 'Hello')).rejects.toThrow(/551/)
    simulator.setBlocked(customer, false)
    clock.advance(24 * 60 * 60 * 1_000)
    await expect(client.sendText(personId, 'Hello')).rejects.toThrow(/outside of allowed window/)
    await expect(clientWith('another').sendText(personId, 'Hello')).rejects.toThrow(/Invalid OAuth/)
  })
})

type Played = Awaited<ReturnType<typeof play>>
type Act = (played: Played) => unknown

const write: Act = ({ simulator, customer }) => simulator.sendText(customer, 'Hello')
const file =
  (type: string): Act =>
  ({ simulator, customer }) =>
    simulator.sendFile(customer, type)
const unreadable =
  (type: Parameters<Played['simulator']['sendUnreadable']>[1]): Act =>
  ({ simulator, customer }) =>
    simulator.sendUnreadable(customer, type)
const send: Act = ({ simulator, customer, client }) => {
  simulator.switches.echoes = false
  return client.sendText(customer.personId, 'Hi')
}
const postback: Act = ({ simulator, customer }) =>
  simulator.postback(customer, { title: 'Track', payload: 'track' })
const react: Act = ({ simulator, customer }) => simulator.react(customer)
const owner: Act = ({ simulator, customer }) => simulator.ownerReplies(customer, 'Hi')
const read: Act = async (played) => {
  await send(played)
  await played.simulator.idle()
  played.posted.splice(0)
  played.simulator.read(played.customer)
}

const CASES: [Product, string, Act][] = [
  ['messenger', 'fb-text.json', write],
  [
    'messenger',
    'fb-quick-reply.json',
    async ({ simulator, customer, client, posted }) => {
      simulator.switches.echoes = false
      const { messageId } = await client.sendMessage(customer.personId, RED)
      await simulator.idle()
      posted.splice(0)
      simulator.tap(customer, messageId, 0)
    },
  ],
  ['messenger', 'fb-image.json', file('image')],
  ['messenger', 'fb-video.json', file('video')],
  ['messenger', 'fb-audio.json', file('audio')],
  ['messenger', 'fb-file.json', file('file')],
  ['messenger', 'fb-sticker-old.json', file('sticker_old')],
  ['messenger', 'fb-sticker-new.json', file('sticker')],
  ['messenger', 'fb-postback.json', postback],
  ['messenger', 'fb-reaction.json', react],
  ['messenger', 'fb-echo.json', owner],
  ['messenger', 'fb-delivery.json', send],
  ['messenger', 'fb-read.json', read],
  ['instagram', 'ig-text.json', write],
  ['instagram', 'ig-image.json', file('image')],
  ['instagram', 'ig-story-reply.json', (it) => it.simulator.answerStory(it.customer, 'Nice')],
  ['instagram', 'ig-story-mention.json', unreadable('story_mention')],
  ['instagram', 'ig-post-share.json', unreadable('ig_post')],
  ['instagram', 'ig-postback.json', postback],
  ['instagram', 'ig-reaction.json', react],
  ['instagram', 'ig-echo.json', owner],
  ['instagram', 'ig-unsend.json', ({ simulator, customer }) => simulator.unsend(customer)],
  ['instagram', 'ig-unsupported.json', (it) => it.simulator.sendUnsupported(it.customer)],
  [
    'instagram',
    'ig-standby.json',
    ({ simulator, customer }) => {
      simulator.setInAnotherApp(customer, true)
      simulator.sendText(customer, 'Hello')
    },
  ],
  ['instagram', 'ig-seen.json', read],
]

const recorded = new Map(
  (['messenger', 'instagram'] as const)
    .flatMap(loadRecordedPayloads)
    .map(({ file: name, rawBody }) => [name, rawBody]),
)

test.skipIf(recorded.size === 0).each(CASES)('%s posts as %s was', async (product, name, act) => {
  const played = await play(product)
  played.posted.splice(0)
  await act(played)
  await played.simulator.idle()
  const [first] = played.posted
  expect(first!.isSigned).toBe(true)
  const wanted: unknown = JSON.parse(recorded.get(name)!.toString())
  expect(keysOf(first!.body)).toEqual(keysOf(wanted))
})
