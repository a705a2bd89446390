/** The phones of customers who write to linked numbers, and the phone that links them. */
import { randomBytes } from 'node:crypto'
import { readNumber } from '../person.ts'
import type { PhoneAction, PhoneChat, PhoneList, PhoneMessage, Phones } from '../provider.ts'
import type { SimulatedBridge } from './bridge.ts'
import type { Session } from './session.ts'

type Customer = { number: string; name: string; lid: string; hidesNumber: boolean }
type Said = PhoneMessage & { accountId: string; personId: string }

/** Numbers that were set aside for stories. */
const PEOPLE: readonly Customer[] = [
  { number: '12025550121', name: 'Sara Haddad', lid: '80121000000121@lid', hidesNumber: false },
  { number: '12025550122', name: 'عمر الحسن', lid: '80121000000122@lid', hidesNumber: false },
  { number: '12025550123', name: 'Lina Costa', lid: '80121000000123@lid', hidesNumber: true },
]
/** What the phone that scans is called, where the page names none. */
const BUSINESS_NUMBER = '12025550120'
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==',
  'base64',
)

export function createQrPhones({
  bridge,
  now,
}: {
  bridge: SimulatedBridge
  now(): number
}): Phones & { changed(): void } {
  const people = new Map(PEOPLE.map((person) => [person.number, { ...person }]))
  const said: Said[] = []
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }

  function personOf(personId: string | undefined): Customer {
    const person = people.get(personId ?? '')
    if (!person) throw new Error('Open the chat of somebody first')
    return person
  }
  function sessionOf(accountId: string | undefined): Session {
    const session = bridge.sessions.get(accountId ?? '')
    if (!session) throw new Error('No number waits here: connect one in the dashboard first')
    return session
  }
  function linkedOf(accountId: string | undefined): Session {
    const session = sessionOf(accountId)
    if (session.link().status !== 'linked') throw new Error('The number is not linked')
    return session
  }

  const keyOf = ({ number, lid, hidesNumber }: Customer) =>
    hidesNumber
      ? { remoteJid: lid, addressingMode: 'lid' }
      : { remoteJid: lid, remoteJidAlt: `${number}@s.whatsapp.net`, addressingMode: 'lid' }

  function say(
    action: PhoneAction,
    message: object,
    shown: { text: string; from?: 'customer' | 'owner'; file?: PhoneMessage['file'] },
    { key = {}, type = 'notify' }: { key?: object; type?: string } = {},
  ): void {
    const session = linkedOf(action.accountId)
    const person = personOf(action.personId)
    const fromMe = shown.from === 'owner'
    const id = `3A${randomBytes(9).toString('hex').toUpperCase()}`
    const at = now()
    const { text, file, from = 'customer' } = shown
    const place = { accountId: action.accountId!, personId: person.number }
    said.push({ ...place, id, from, at, text, buttons: [], note: '', ...(file && { file }) })
    const item = {
      key: { id, fromMe, ...keyOf(person), ...key },
      messageTimestamp: Math.floor(at / 1_000),
      ...(!fromMe && { pushName: person.name }),
      message,
    }
    session.tell('messages.upsert', { type, messages: [item] }, person.lid)
    changed()
  }

  const textOf = (action: PhoneAction, without: string) =>
    typeof action.text === 'string' && action.text !== '' ? action.text : without

  const acts: Record<string, (action: PhoneAction) => unknown> = {
    read: () => {},
    sendText: (action) =>
      say(action, { conversation: textOf(action, 'Hello') }, { text: textOf(action, 'Hello') }),
    ephemeral: (action) => {
      const text = textOf(action, 'This disappears')
      say(action, { ephemeralMessage: { message: { extendedTextMessage: { text } } } }, { text })
    },
    picture: (action) => {
      const mediaKey = randomBytes(32).toString('base64')
      bridge.media.set(mediaKey, PICTURE)
      const caption = textOf(action, 'Look')
      const directPath = `/v/simulated/${mediaKey.slice(0, 8)}`
      say(
        action,
        { imageMessage: { caption, mimetype: 'image/png', mediaKey, directPath } },
        { text: caption, file: { kind: 'image', id: mediaKey } },
      )
    },
    poll: (action) =>
      say(action, { pollCreationMessageV3: { name: 'Which?' } }, { text: '(a poll)' }),
    reaction: (action) =>
      say(action, { reactionMessage: { text: '👍', key: { id: 'X' } } }, { text: '(a reaction)' }),
    group: (action) =>
      say(
        action,
        { conversation: textOf(action, 'To the group') },
        { text: '(in a group)' },
        {
          key: { remoteJid: '120363000000000000@g.us' },
        },
      ),
    owner: (action) => {
      const text = textOf(action, 'I answer from the phone')
      say(action, { conversation: text }, { text, from: 'owner' })
    },
    twice: (action) => {
      const session = linkedOf(action.accountId)
      const person = personOf(action.personId)
      const text = textOf(action, 'Once')
      say(action, { conversation: text }, { text })
      const { id, at } = said.at(-1)!
      const item = {
        key: { id, fromMe: false, ...keyOf(person) },
        messageTimestamp: Math.floor(at / 1_000),
        pushName: person.name,
        message: { conversation: text },
      }
      session.tell('messages.upsert', { type: 'notify', messages: [item] }, person.lid)
    },
    showNumber: (action) => {
      const person = personOf(action.personId)
      person.hidesNumber = false
      const data = { lid: person.lid, pn: `${person.number}@s.whatsapp.net` }
      linkedOf(action.accountId).tell('lid-mapping.update', data, person.lid)
      changed()
    },
    addPerson: (action) => {
      const number = readNumber(String(action.number ?? ''))
      if (number === null) throw new Error('Not a phone number')
      const name = textOf({ action: '', text: action.name }, `Customer ${number.slice(-4)}`)
      people.set(number, { number, name, lid: `8${number}@lid`, hidesNumber: false })
      changed()
      return { id: number }
    },
    scan: (action) => {
      const number = readNumber(textOf(action, BUSINESS_NUMBER))
      sessionOf(action.accountId).scan(number ?? BUSINESS_NUMBER)
    },
    logOut: (action) => bridge.logOut(sessionOf(action.accountId) && action.accountId!),
    lose: (action) => {
      const session = sessionOf(action.accountId)
      const { number } = session.link()
      session.setLink({ status: 'connecting', code: '428', ...(number && { number }) })
    },
    find: (action) => {
      const session = sessionOf(action.accountId)
      const { status, number } = session.link()
      if (status !== 'connecting' || number === undefined) throw new Error('It is not lost')
      session.setLink({ status: 'linked', number })
    },
    replace: (action) => sessionOf(action.accountId).setLink({ status: 'replaced', code: '440' }),
    ban: (action) => sessionOf(action.accountId).setLink({ status: 'banned', code: '403' }),
  }

  return {
    accountLabel: 'Linked number',
    newPerson: [
      { name: 'number', label: 'Number', placeholder: '+1 202 555 0124' },
      { name: 'name', label: 'Name', placeholder: 'Name' },
    ],
    list(accountId): PhoneList {
      const accounts = [...bridge.sessions].map(([id, session]) => ({
        id,
        label: labelOf(session),
      }))
      const chosen = accounts.find(({ id }) => id === accountId)?.id ?? accounts[0]?.id ?? null
      return {
        chosen,
        accounts,
        people: [...people.values()].map((person) => ({
          id: person.number,
          name: person.name,
          detail: person.hidesNumber ? person.lid : `+${person.number}`,
          lastText: messagesOf(chosen ?? '', person).at(-1)?.text ?? '',
          unread: 0,
        })),
        waiting: waitingOf(chosen),
      }
    },
    chat({ accountId, personId }): PhoneChat {
      const person = personOf(personId)
      const session = bridge.sessions.get(accountId)
      return {
        name: person.name,
        detail: person.hidesNumber ? person.lid : `+${person.number}`,
        badge: session
          ? { text: labelOf(session), isOn: session.link().status === 'linked' }
          : null,
        messages: messagesOf(accountId, person),
        tools: TOOLS.map(([label, action]) => ({ label, action: { action } })),
      }
    },
    act(action) {
      const act = Object.hasOwn(acts, action.action) ? acts[action.action] : undefined
      if (!act) throw new Error(`${action.action} cannot be done here`)
      return act(action)
    },
    file(id) {
      const bytes = bridge.media.get(id) ?? bridge.sent.find((sent) => sent.id === id)?.file?.bytes
      const mimeType = bridge.sent.find((sent) => sent.id === id)?.file?.mimeType ?? 'image/png'
      return bytes && { bytes, mimeType }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    changed,
  }

  function messagesOf(accountId: string, { number, lid }: Customer): PhoneMessage[] {
    const theirs = said.filter((one) => one.accountId === accountId && one.personId === number)
    const ours = bridge.sent.filter(
      (one) => one.account === accountId && (one.to === number || one.to === lid),
    )
    return [
      ...theirs,
      ...ours.map(({ id, at, text, file }): PhoneMessage => ({
        id,
        from: 'business',
        at,
        text,
        buttons: [],
        note: '✓',
        ...(file && { file: { kind: file.kind as 'image', id } }),
      })),
    ].toSorted((a, b) => a.at - b.at)
  }

  function waitingOf(accountId: string | null): string {
    const count = bridge.sessions.get(accountId ?? '')?.waitingEvents() ?? 0
    return count === 0 ? '' : `${count} events wait to be taken in`
  }
}

const TOOLS: readonly [string, string][] = [
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

function labelOf(session: Session): string {
  const { status, number } = session.link()
  return number === undefined ? status.replace('_', ' ') : `+${number} (${status})`
}
