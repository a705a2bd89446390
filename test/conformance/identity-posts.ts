/** The posts of each provider in an identity case. */
import { postToPage } from '../support/messaging.ts'
import { ourReport, signOurs } from '../support/call-reports.ts'
import {
  echoed,
  historyOf,
  listedIds,
  newWamid,
  postWebhook,
  receipt,
  secondsText,
  webhookOf,
  written,
  type Change,
} from '../support/whatsapp-webhook.ts'
import { APP_SECRET } from '../support/shop.ts'
import { signMetaWebhook } from '../../simulators/index.ts'
import { defined } from '../support/defined.ts'
import type { Ids, Step } from './identity-case.ts'
import type { ChannelOfCase } from './identity-company.ts'
import { messageOf, type Play } from './identity-play.ts'

export type ProviderPost = (play: Play, step: Step, at: Date) => Promise<void>

function channelOf({ company }: Play, { on = '' }: Step): ChannelOfCase {
  const channel = company.channels.get(on)
  if (!channel) throw new Error(`the case has no channel "${on}"`)
  return channel
}

const idsOf = (ids: Ids | string | undefined): Ids => (typeof ids === 'object' ? ids : {})

const peopleIds = ({ number, user, parent }: Ids) =>
  defined({ from: number, userId: user, parentUserId: parent })

/** Sends a post now, and keeps it for the second delivery at the end of the case. */
async function post(play: Play, send: () => Promise<number>): Promise<void> {
  const deliver = async () => {
    const status = await send()
    if (status >= 300) throw new Error(`the provider's post was answered ${status}`)
  }
  play.posts.push(deliver)
  await deliver()
}

function postToWhatsApp(play: Play, channel: ChannelOfCase, change: Change): Promise<void> {
  const { route: phoneNumberId, account: businessAccountId } = channel
  const body = webhookOf({ phoneNumberId, businessAccountId }, [change])
  return post(play, () => postWebhook(play.company.world, body))
}

function label(play: Play, step: Step, channel: ChannelOfCase, id = newWamid()): string {
  const of = { channelId: channel.id, providerMessageId: id }
  play.made.set(step.label!, { kind: 'of provider', ...of })
  return id
}

const message: ProviderPost = async (play, step, at) => {
  const channel = channelOf(play, step)
  const ids = idsOf(step.from)
  switch (channel.type) {
    case 'whatsapp': {
      const id = label(play, step, channel)
      const { text = 'hello', name = null } = step
      return postToWhatsApp(play, channel, written({ ...peopleIds(ids), at, id, text, name }))
    }
    case 'whatsapp_qr':
      return onBridge(play, step, ids, { at, fromMe: false })
    case 'telegram':
      return onBot(play, step, channel, at)
    case 'messenger':
    case 'instagram':
      return onPage(play, step, channel, { at, isEcho: false })
    case 'web_widget':
    case 'website':
    case 'voice':
      throw new Error(`nobody sends a message on "${step.on}"`)
  }
}

type Bridged = { at: Date; fromMe: boolean }

/** Returns the key of WhatsApp's own protocol: an `@lid` if there is one, with the number as its alternative. */
function keyOf({ jid, lid, number }: Ids) {
  if (jid !== undefined) return { remoteJid: jid }
  const byNumber = number === undefined ? undefined : `${number}@s.whatsapp.net`
  if (lid === undefined) return { remoteJid: byNumber }
  return { remoteJid: lid, ...(byNumber !== undefined && { remoteJidAlt: byNumber }) }
}

async function onBridge(play: Play, step: Step, ids: Ids, { at, fromMe }: Bridged): Promise<void> {
  const made = `3A${newWamid().slice(6, 24).toUpperCase()}`
  const id = label(play, step, channelOf(play, step), made)
  const item = {
    key: { id, fromMe, ...keyOf(ids) },
    messageTimestamp: Number(secondsText(at)),
    ...(step.name !== undefined && !fromMe && { pushName: step.name }),
    message: { conversation: step.text ?? 'hello' },
  }
  await postByBridge(play, step, 'messages.upsert', { type: 'notify', messages: [item] })
}

function postByBridge(play: Play, step: Step, event: string, data: object): Promise<void> {
  const { route } = channelOf(play, step)
  return post(play, () => {
    play.company.qr.bridge.sessionOf(route).tell(event, data, 'a person')
    return Promise.resolve(200)
  })
}

async function onBot(play: Play, step: Step, channel: ChannelOfCase, at: Date): Promise<void> {
  const id = Number(idsOf(step.from).id)
  const messageId = play.posts.length + 1
  label(play, step, channel, `${id}:${messageId}`)
  const body = JSON.stringify({
    update_id: messageId,
    message: {
      message_id: messageId,
      date: Number(secondsText(at)),
      chat: { id, type: 'private' },
      from: { id, is_bot: false, ...(step.name !== undefined && { first_name: step.name }) },
      text: step.text ?? 'hello',
    },
  })
  const headers = {
    'content-type': 'application/json',
    'x-telegram-bot-api-secret-token': channel.secret,
  }
  const url = `${play.company.world.url}/webhooks/telegram/${channel.id}`
  await post(play, async () => (await fetch(url, { method: 'POST', headers, body })).status)
}

async function onPage(
  play: Play,
  step: Step,
  channel: ChannelOfCase,
  { at, isEcho }: { at: Date; isEcho: boolean },
): Promise<void> {
  const mid = label(play, step, channel, `m_${newWamid().slice(6)}`)
  const person = { id: idsOf(isEcho ? step.to : step.from).id }
  const page = { id: channel.route }
  const item = {
    ...(isEcho ? { sender: page, recipient: person } : { sender: person, recipient: page }),
    timestamp: at.getTime(),
    message: { mid, text: step.text ?? 'hello', ...(isEcho && { is_echo: true }) },
  }
  const items = { route: channel.route, messaging: [item] }
  const product = channel.type === 'messenger' ? 'messenger' : 'instagram'
  const sign = (body: Buffer) => signMetaWebhook(body, APP_SECRET)
  await post(play, () => postToPage(play.company.world, product, items, sign))
}

const share: ProviderPost = async (play, step, at) => {
  const channel = channelOf(play, step)
  const id = label(play, step, channel)
  const card = {
    name: { formatted_name: step.name ?? 'A card' },
    origin: step.origin,
    phones: [{ phone: `+${step.number}`, wa_id: step.number }],
  }
  const content = { type: 'contacts', contacts: [card] }
  const about = { ...peopleIds(idsOf(step.from)), at, id, content, name: step.name ?? null }
  await postToWhatsApp(play, channel, written(about))
}

const system: ProviderPost = async (play, step, at) => {
  const { number, user } = idsOf(step.from)
  const { before = {}, after = {} } = step
  const change = {
    type: step.type,
    body: 'The customer has changed something.',
    ...listedIds({ number: after.number, userId: after.user, parentUserId: after.parent }),
    ...defined({ previous_user_id: before.user, previous_parent_user_id: before.parent }),
  }
  const item = {
    ...defined({ from: number, from_user_id: user }),
    id: newWamid(),
    timestamp: secondsText(at),
    type: 'system',
    system: change,
  }
  const value = { messages: [item] }
  await postToWhatsApp(play, channelOf(play, step), { field: 'messages', value })
}

/** A mapping is no webhook: when repeated, it is about the customer who has the number by then. */
const mapping: ProviderPost = async (play, step) => {
  const pair = { lid: step.lid, pn: `${step.number}@s.whatsapp.net` }
  await postByBridge(play, step, 'lid-mapping.update', pair)
  play.posts.pop()
}

const echo: ProviderPost = async (play, step, at) => {
  const channel = channelOf(play, step)
  const ids = idsOf(step.to)
  if (channel.type === 'whatsapp_qr') return onBridge(play, step, ids, { at, fromMe: true })
  if (channel.type !== 'whatsapp') return onPage(play, step, channel, { at, isEcho: true })
  const id = label(play, step, channel)
  const { from: to, ...others } = peopleIds(ids)
  const { text = 'hello' } = step
  await postToWhatsApp(play, channel, echoed({ ...defined({ to }), ...others, id, at, text }))
}

const history: ProviderPost = async (play, step, at) => {
  const channel = channelOf(play, step)
  const id = label(play, step, channel)
  const { text = 'hello', name = null } = step
  const earlier = { ...peopleIds(idsOf(step.from)), id, at, text, name }
  await postToWhatsApp(play, channel, historyOf(earlier))
}

const status: ProviderPost = async (play, step, at) => {
  const { channelId, providerMessageId } = messageOf(play, step.of ?? '')
  const channel = [...play.company.channels.values()].find(({ id }) => id === channelId)
  if (!channel || providerMessageId === null) throw new Error(`"${step.of}" was not sent`)
  const { number, user, parent } = step.ids ?? {}
  const to = { recipient_id: number, recipient_user_id: user, recipient_parent_user_id: parent }
  const state = { status: step.status, timestamp: secondsText(at) }
  const report = { id: providerMessageId, ...state, ...defined(to) }
  const contact = listedIds({ number, userId: user, parentUserId: parent })
  await postToWhatsApp(play, channel, receipt(report, [contact]))
}

const call: ProviderPost = async (play, step, at) => {
  const { id, secret } = channelOf(play, step)
  const { clock, url } = play.company.world
  const { number } = idsOf(step.from)
  const body = ourReport({
    callId: `call-${id}-${play.posts.length}`,
    ...(number === undefined ? { from: null } : { from: `+${number}` }),
    startedAt: at.toISOString(),
    endedAt: at.toISOString(),
    turns: [{ role: 'caller', text: step.text ?? 'hello' }],
  })
  await post(play, async () => {
    const signed = signOurs(body, secret, clock.now())
    return (await fetch(`${url}/webhooks/voice/${id}`, { method: 'POST', ...signed })).status
  })
}

export const PROVIDER_POSTS: Readonly<Record<string, ProviderPost>> = {
  message,
  share,
  system,
  mapping,
  echo,
  history,
  receipt: status,
  call,
}
