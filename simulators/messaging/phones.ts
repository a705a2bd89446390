/** Phones of the page, in the terms of the simulated product. */
import { DAY_MS } from '../time.ts'
import type { TypingShown } from '../typing-shown.ts'
import type { PhoneAction, PhoneChat, PhoneList, PhoneMessage, Phones } from '../provider.ts'
import type { Person, Said } from './book.ts'
import type { Customers } from './customers.ts'
import { FORCED, type Forced, type MessagingAccount } from './messaging-account.ts'
import type { Place, TalkDeps } from './talk.ts'

const FILES = ['image', 'video', 'audio', 'file', 'sticker']
const FORCED_WORDS: Record<Forced, string> = {
  rate: 'Next: rate limit',
  fault: 'Next: Meta error',
  hang: 'Next: no response',
  lost: 'Next: connection lost',
}
const KINDS: Record<string, NonNullable<PhoneMessage['file']>['kind']> = {
  image: 'image',
  sticker: 'image',
  audio: 'audio',
  video: 'video',
  file: 'document',
}

type PhonesDeps = TalkDeps & {
  accounts: ReadonlyMap<string, MessagingAccount>
  customers: Customers
  forced: Map<string, Forced>
  waiting(): number
  typing: TypingShown
  listeners: Set<() => void>
}

/** Creates the phones of customers as the simulator's page shows them. */
export function createMessagingPhones(deps: PhonesDeps): Phones {
  const { product, accounts, book, shelf, waiting, typing, listeners, now } = deps
  const acts = actsOf(deps)
  return {
    accountLabel: product === 'messenger' ? 'Page' : 'Account',
    newPerson: [{ name: 'name', label: 'Name', placeholder: 'Sara Ali' }],
    list(accountId) {
      const chosen = accountId ?? [...accounts.keys()][0] ?? null
      return {
        chosen,
        accounts: [...accounts.values()].map(({ id, name }) => ({ id, label: name })),
        people: book
          .people()
          .filter((person) => person.accountId === chosen)
          .map((person) => listed(person, book.thread(person.accountId, person.id))),
        waiting: waiting() > 0 ? `${waiting()} webhooks wait to be delivered` : '',
      }
    },
    chat({ accountId, personId }) {
      const person = book.person(accountId, personId)
      if (!person) throw new Error('No customer has this phone')
      const thread = book.thread(accountId, personId)
      const sentAt = thread.findLast(({ from }) => from === 'business')?.at ?? 0
      const isOpen = person.lastWroteAt !== null && now() < person.lastWroteAt + DAY_MS
      return {
        name: person.name,
        detail: person.id,
        badge: { text: isOpen ? 'Window open' : 'Window closed', isOn: isOpen },
        messages: thread.map((said, at) => messageOf(said, at === thread.length - 1)),
        typingMs: typing.leftMs(accountId, personId, sentAt),
        tools: toolsOf(deps, person),
      }
    },
    act(action) {
      const act = acts[action.action]
      if (!act) throw new Error('This phone cannot do that')
      const { accountId = '', personId = '' } = action
      return act({ accountId, personId }, action, wordsOf(action['text']))
    },
    file(id) {
      const found = shelf.find(id)
      return found && { bytes: found.bytes, mimeType: found.mimeType }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Act = (place: Place, action: PhoneAction, words: string | null) => unknown

function actsOf({ book, customers, switches, forced, changed }: PhonesDeps): Record<string, Act> {
  const personAt = ({ accountId, personId }: Place) => book.person(accountId, personId)
  return {
    addPerson: ({ accountId }, { name }) => customers.addPerson(accountId, wordsOf(name) ?? 'Sara'),
    read: (place) => customers.read(place),
    sendText: (place, _, words) => customers.sendText(place, words ?? '…'),
    sendFile: (place, { type }) => customers.sendFile(place, String(type)),
    tap: (place, { mid, index }) => customers.tap(place, String(mid), Number(index)),
    postback: (place, { hasId }, words) => {
      const title = words ?? 'Get started'
      return customers.postback(place, { title, payload: 'GET_STARTED' }, hasId !== false)
    },
    answerStory: (place, _, words) => customers.answerStory(place, words ?? 'Is it still there?'),
    sendUnreadable: (place, { type }) => customers.sendUnreadable(place, String(type)),
    sendUnsupported: (place) => customers.sendUnsupported(place),
    unsend: (place) => customers.unsend(place),
    react: (place) => customers.react(place),
    ownerReplies: (place, _, words) =>
      customers.ownerReplies(place, words ?? 'The owner answers from the app.'),
    block: (place) => customers.setBlocked(place, !personAt(place)?.hasBlocked),
    standby: (place) => customers.setInAnotherApp(place, !personAt(place)?.isInAnotherApp),
    deliverTwice: () => {
      switches.deliverTwice = !switches.deliverTwice
      changed()
    },
    force: ({ personId }, { outcome }) => {
      const wanted = FORCED.find((one) => one === outcome)
      if (!wanted || forced.get(personId) === wanted) forced.delete(personId)
      else forced.set(personId, wanted)
      changed()
    },
  }
}

function toolsOf({ product, switches, forced }: PhonesDeps, person: Person): PhoneChat['tools'] {
  const tool = (label: string, action: string, more = {}) => ({
    label,
    action: { action, ...more },
  })
  const own =
    product === 'messenger'
      ? [
          tool('Get started', 'postback', { hasId: true }),
          tool('Tap without ID', 'postback', { hasId: false }),
          tool('Old sticker', 'sendFile', { type: 'sticker_old' }),
        ]
      : [
          tool('Reply to story', 'answerStory'),
          tool('Mention in story', 'sendUnreadable', { type: 'story_mention' }),
          tool('Share post', 'sendUnreadable', { type: 'ig_post' }),
        ]
  return [
    ...FILES.map((type) => tool(`Send ${type}`, 'sendFile', { type })),
    ...own,
    tool('Heart', 'sendUnreadable', { type: 'like_heart' }),
    tool('Unsupported', 'sendUnsupported'),
    tool('Unsend', 'unsend'),
    tool('React', 'react'),
    tool('Owner replies', 'ownerReplies'),
    { ...tool('Block', 'block'), isOn: person.hasBlocked },
    { ...tool('Handled by another app', 'standby'), isOn: person.isInAnotherApp },
    { ...tool('Deliver twice', 'deliverTwice'), isOn: switches.deliverTwice },
    ...FORCED.map((outcome) => ({
      ...tool(FORCED_WORDS[outcome], 'force', { outcome }),
      isOn: forced.get(person.id) === outcome,
    })),
  ]
}

function listed({ id, name }: Person, thread: readonly Said[]): PhoneList['people'][number] {
  const last = thread.at(-1)
  const unread = thread.filter(({ from, isRead }) => from !== 'customer' && !isRead).length
  const lastText = last?.text ?? last?.attachments[0]?.type ?? last?.note ?? ''
  return { id, name, detail: id, lastText, unread }
}

const TICKS = { sent: '✓', delivered: '✓✓', read: '✓✓ read' }

function messageOf(said: Said, isLast: boolean): PhoneMessage {
  const [attachment] = said.attachments
  const kind = attachment && KINDS[attachment.type]
  const fileId = attachment && idOf(attachment.payload)
  return {
    id: said.mid,
    from: said.from,
    at: said.at,
    text: said.text ?? (kind === undefined ? said.note : ''),
    ...(kind !== undefined && fileId !== undefined ? { file: { kind, id: fileId } } : {}),
    buttons: said.quickReplies.map(({ title }, index) => ({
      text: title,
      // Buttons stay on the phone until the next message.
      action: isLast ? { action: 'tap', mid: said.mid, index } : null,
    })),
    note: said.note || (said.from === 'customer' ? '' : TICKS[said.status]),
  }
}

const wordsOf = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** Returns the id of an upload, or the last segment of a URL of this simulator. */
function idOf(payload: Record<string, unknown>): string | undefined {
  const { attachment_id: id, url } = payload
  if (typeof id === 'string') return id
  return typeof url === 'string' ? url.split('/').at(-1) : undefined
}
