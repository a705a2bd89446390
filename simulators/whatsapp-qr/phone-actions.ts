/** Actions of the phones: messages of customers and the owner, and changes of the link. */
import { randomBytes } from 'node:crypto'
import { readNumber } from '../person.ts'
import type { PhoneAction, PhoneMessage } from '../provider.ts'
import type { SimulatedBridge } from './bridge.ts'
import type { Customer, Customers } from './customers.ts'
import type { Session } from './session.ts'

type Act = (action: PhoneAction) => unknown
type Deps = { bridge: SimulatedBridge; customers: Customers; now(): number; changed(): void }

/** The number of the phone that scans, if the page names none. */
const BUSINESS_NUMBER = '12025550120'
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==',
  'base64',
)

const typed = (value: unknown) => (typeof value === 'string' ? value : '')
const textOf = ({ text }: PhoneAction, without: string) => typed(text) || without

/** Returns a session that waits for a scan. @throws Error if there is none */
function sessionOf({ sessions }: SimulatedBridge, accountId: string | undefined): Session {
  const session = sessions.get(accountId ?? '')
  if (!session) throw new Error('No number is waiting here: connect one in the dashboard first')
  return session
}

function linkedOf(bridge: SimulatedBridge, accountId: string | undefined): Session {
  const session = sessionOf(bridge, accountId)
  if (session.link().status !== 'linked') throw new Error('The number is not linked')
  return session
}

const keyOf = ({ number, lid, hidesNumber }: Customer) =>
  hidesNumber
    ? { remoteJid: lid, addressingMode: 'lid' }
    : { remoteJid: lid, remoteJidAlt: `${number}@s.whatsapp.net`, addressingMode: 'lid' }

type Shown = {
  text: string
  from?: 'customer' | 'owner'
  file?: PhoneMessage['file']
  /** The chat of the message, if it is not the customer's. */
  remoteJid?: string
  times?: number
}

/** Reports a message to the number, and shows it on the phone. */
function say(
  { bridge, customers, now, changed }: Deps,
  action: PhoneAction,
  message: object,
  shown: Shown,
) {
  const session = linkedOf(bridge, action.accountId)
  const person = customers.of(action.personId)
  const { text, file, from = 'customer', remoteJid, times = 1 } = shown
  const id = `3A${randomBytes(9).toString('hex').toUpperCase()}`
  const at = now()
  const place = { accountId: action.accountId!, personId: person.number }
  customers.said.push({
    ...place,
    id,
    from,
    at,
    text,
    buttons: [],
    note: '',
    ...(file && { file }),
  })
  const fromMe = from === 'owner'
  const item = {
    key: { id, fromMe, ...keyOf(person), ...(remoteJid && { remoteJid }) },
    messageTimestamp: Math.floor(at / 1_000),
    ...(!fromMe && { pushName: person.name }),
    message,
  }
  for (let time = 0; time < times; time += 1) {
    session.tell('messages.upsert', { type: 'notify', messages: [item] }, person.lid)
  }
  changed()
}

function messageActs(deps: Deps): Record<string, Act> {
  const { bridge, customers } = deps
  const words =
    (without: string, more: Partial<Shown> = {}): Act =>
    (action) => {
      const text = textOf(action, without)
      say(deps, action, { conversation: text }, { text, ...more })
    }
  const other =
    (message: object, text: string): Act =>
    (action) =>
      say(deps, action, message, { text })
  return {
    sendText: words('Hello'),
    twice: words('Once', { times: 2 }),
    owner: words('I answer from the phone', { from: 'owner' }),
    group: words('To the group', { remoteJid: '120363000000000000@g.us' }),
    poll: other({ pollCreationMessageV3: { name: 'Which?' } }, '(a poll)'),
    reaction: other({ reactionMessage: { text: '👍', key: { id: 'X' } } }, '(a reaction)'),
    ephemeral(action) {
      const text = textOf(action, 'This disappears')
      say(
        deps,
        action,
        { ephemeralMessage: { message: { extendedTextMessage: { text } } } },
        { text },
      )
    },
    picture(action) {
      const mediaKey = randomBytes(32).toString('base64')
      bridge.media.set(mediaKey, PICTURE)
      const text = textOf(action, 'Look')
      const directPath = `/v/simulated/${mediaKey.slice(0, 8)}`
      const imageMessage = { caption: text, mimetype: 'image/png', mediaKey, directPath }
      say(deps, action, { imageMessage }, { text, file: { kind: 'image', id: mediaKey } })
    },
    showNumber(action) {
      const person = customers.of(action.personId)
      person.hidesNumber = false
      const data = { lid: person.lid, pn: `${person.number}@s.whatsapp.net` }
      linkedOf(bridge, action.accountId).tell('lid-mapping.update', data, person.lid)
      deps.changed()
    },
    addPerson(action) {
      const added = customers.add(typed(action.number), typed(action.name))
      deps.changed()
      return added
    },
  }
}

function linkActs({ bridge }: Deps): Record<string, Act> {
  const of = (action: PhoneAction) => sessionOf(bridge, action.accountId)
  return {
    scan: (action) => of(action).scan(readNumber(textOf(action, '')) ?? BUSINESS_NUMBER),
    logOut(action) {
      of(action)
      bridge.logOut(action.accountId!)
    },
    lose(action) {
      const { number } = of(action).link()
      of(action).setLink({ status: 'connecting', code: '428', ...(number && { number }) })
    },
    find(action) {
      const { status, number } = of(action).link()
      if (status !== 'connecting' || number === undefined) throw new Error('It is not lost')
      of(action).setLink({ status: 'linked', number })
    },
    replace: (action) => of(action).setLink({ status: 'replaced', code: '440' }),
    ban: (action) => of(action).setLink({ status: 'banned', code: '403' }),
  }
}

/**
 * Creates the actions of the simulator's page, by name: messages of customers and the owner, and changes of the link.
 */
export function createPhoneActions(deps: Deps): Record<string, Act> {
  return { read: () => {}, ...messageActs(deps), ...linkActs(deps) }
}

/** The additional actions of a phone on the page. */
export const TOOLS: readonly [label: string, action: string][] = [
  ['Scan the code', 'scan'],
  ['Picture', 'picture'],
  ['Disappearing text', 'ephemeral'],
  ['Same text twice', 'twice'],
  ['Poll', 'poll'],
  ['Reaction', 'reaction'],
  ['In a group', 'group'],
  ['Owner answers from the phone', 'owner'],
  ['Show the number', 'showNumber'],
  ['Lose the connection', 'lose'],
  ['Find it again', 'find'],
  ['Used elsewhere', 'replace'],
  ['Remove the link on the phone', 'logOut'],
  ['WhatsApp closes the number', 'ban'],
]
