/** Every kind of webhook compared with a recorded one: the same keys, at every depth. */
import { expect, test } from 'vitest'
import { loadWhatsAppPayloads } from '../../test/support/whatsapp-payloads.ts'
import { NUMBER } from './business.ts'
import { keysOf } from './keys-of.ts'
import { CUSTOMER, orderReadyTo, startSimulated, textTo } from './simulated.ts'
import type { Simulated } from './simulated.ts'

const SARA = { number: CUSTOMER, name: 'Sara', bsuid: 'US.13491208655302741918' }
const ENROLLED = { ...SARA, username: 'sara', parentBsuid: 'US.ENT.11815799212886844830' }

const USER_ID_OF_CONTACT = '.entry.changes.value.contacts.user_id'
const USER_ID_OF_SENDER = '.entry.changes.value.messages.from_user_id'
const STATUS = '.entry.changes.value.statuses'
const ENROLMENT = ['.entry.changes.value.contacts.parent_user_id']
/** Keys of every webhook since 2026. Most of the recorded ones are older. */
const SINCE_2026 = [USER_ID_OF_CONTACT, USER_ID_OF_SENDER]

type Case = {
  file: string
  /** The customer; the default is Sara. */
  person?: typeof SARA
  act: (simulated: Simulated) => unknown
  /** The index of the webhook; the default is the first one. */
  at?: number
  more?: string[]
  less?: string[]
}

const sample = (kind: Parameters<Simulated['simulator']['sendSample']>[0]['kind']) => {
  return ({ simulator }: Simulated) => simulator.sendSample({ from: CUSTOMER, kind })
}
const write = ({ simulator }: Simulated) => simulator.sendText({ from: CUSTOMER, text: 'Hi' })
const send = (to: string) => (simulated: Simulated) => simulated.send(textTo(to))
const tap = async ({ send: post, simulator }: Simulated) => {
  await post(orderReadyTo(CUSTOMER))
  await simulator.idle()
  simulator.tapButton()
}
const setStatus = (status: string) => {
  const { businessAccountId } = NUMBER
  return ({ simulator }: Simulated) =>
    simulator.changeTemplate({ businessAccountId, name: 'plain', language: 'ar', status })
}
const hidden = (act: Case['act']) => (simulated: Simulated) => {
  simulated.simulator.hideNumber({ from: CUSTOMER, isHidden: true })
  return act(simulated)
}
const echo = ({ simulator }: Simulated) => simulator.ownerAnswers({ from: CUSTOMER, text: 'Yes' })

const CASES: Case[] = [
  { file: 'wa-text.json', act: write, more: SINCE_2026 },
  { file: 'wa-text-bsuid-and-phone.json', person: ENROLLED, act: write },
  { file: 'wa-text-bsuid-only.json', person: ENROLLED, act: hidden(write) },
  { file: 'wa-image-caption.json', act: sample('image'), more: SINCE_2026 },
  { file: 'wa-voice-note.json', act: sample('voice'), more: [USER_ID_OF_SENDER], less: ENROLMENT },
  { file: 'wa-location-place.json', act: sample('location'), more: SINCE_2026 },
  { file: 'wa-contacts.json', act: sample('contact'), more: SINCE_2026 },
  { file: 'wa-sticker.json', act: sample('sticker'), more: [USER_ID_OF_SENDER], less: ENROLMENT },
  { file: 'wa-unsupported.json', act: sample('unsupported'), more: SINCE_2026 },
  { file: 'wa-button-template-quick-reply.json', act: tap, at: 2, more: SINCE_2026 },
  { file: 'wa-echo-text.json', act: echo },
  { file: 'wa-echo-bsuid.json', act: hidden(echo) },
  {
    file: 'wa-status-sent.json',
    person: ENROLLED,
    act: (simulated) => (write(simulated), send(CUSTOMER)(simulated)),
    at: 1,
    more: [
      '.entry.changes.value.contacts.profile.username',
      `${STATUS}.recipient_user_id`,
      `${STATUS}.recipient_parent_user_id`,
      `${STATUS}.pricing.type`,
    ],
  },
  {
    file: 'wa-status-delivered-bsuid.json',
    person: ENROLLED,
    act: hidden((simulated) => (write(simulated), send(CUSTOMER)(simulated))),
    at: 2,
    more: ['', '.id', '.origin', '.origin.type'].map((key) => `${STATUS}.conversation${key}`),
  },
  { file: 'wa-status-failed-131047-window.json', act: send(CUSTOMER) },
  { file: 'wa-status-failed-131049.json', act: send('15550131049') },
  { file: 'wa-template-approved.json', act: setStatus('APPROVED') },
  { file: 'wa-template-paused.json', act: setStatus('PAUSED') },
]

const recorded = loadWhatsAppPayloads()

test.skipIf(recorded === null).each(CASES)(
  'the simulator’s webhook has the keys of the recorded $file',
  async ({ file, person = SARA, act, at, more, less }) => {
    const payload = recorded!.payloads.find((one) => one.file === file)
    const simulated = await startSimulated({ customers: [person] })
    await act(simulated)
    await simulated.simulator.idle()
    const ours = simulated.receiver.received[at ?? 0]?.json
    const theirs = keysOf(JSON.parse(payload!.rawBody.toString('utf8')))
    expect(keysOf(ours)).toEqual(theirs.union(new Set(more)).difference(new Set(less)))
  },
)
