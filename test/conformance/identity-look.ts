/** Compares the end of an identity case with what the case expects. */
import { loadActionContext } from '../../src/modules/connections/load-action-context.ts'
import type { DuplicateView } from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { walkPages } from '../support/dashboard.ts'
import { appointmentsOf } from '../support/records/appointments.ts'
import { repliesTo } from '../support/records/runs.ts'
import type { Expected } from './identity-case.ts'
import { asLine } from './identity-line.ts'
import {
  contactOfLetter,
  find,
  isOf,
  letterOf,
  messageOf,
  requireContact,
  talkOf,
  type Play,
} from './identity-play.ts'

const NOTED_TYPES = /^(?:contact\..*|conversation\.started|message\.received)$/

type Judge<Value> = (play: Play, wanted: Value) => Promise<string[]> | string[]

/** Returns each difference from the expectation as a sentence. Fields that `expect` does not name are not read. */
export async function issuesOf(play: Play, expected: Expected): Promise<string[]> {
  const faults: string[] = []
  for (const [name, wanted] of Object.entries(expected)) {
    const judge = JUDGES[name as keyof Expected] as Judge<unknown>
    try {
      const found = await judge(play, wanted)
      faults.push(...found.map((fault) => `${name}: ${fault}`))
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`)
    }
  }
  return faults
}

const unlike = (of: string, wanted: unknown, got: unknown) =>
  JSON.stringify(wanted) === JSON.stringify(got)
    ? []
    : [`${of} ${JSON.stringify(wanted)} got ${JSON.stringify(got)}`]

/** Compares a value for each key of the expectation. */
const each =
  (read: (play: Play, key: string, wanted: unknown) => unknown): Judge<Record<string, unknown>> =>
  async (play, wanted) => {
    const faults: string[] = []
    for (const [key, value] of Object.entries(wanted)) {
      faults.push(...unlike(key, value, await read(play, key, value)))
    }
    return faults
  }

/** Reads a field of the contact that an identifier finds, as in `contact.*` events. */
const ofContact = (field: 'phone' | 'whatsappId' | 'name' | 'email' | 'optedOut') =>
  each(async (play, identifier) => {
    const id = await requireContact(play, identifier)
    const contact = play.moment.contacts.find((one) => one.id === id)
    if (!contact) return 'no contact'
    return field === 'optedOut' ? contact.optedOutAt !== null : contact[field]
  })

/** Checks lists: the members of one list have the same value, and different lists have different values. */
async function judgeLists(
  lists: readonly string[][],
  read: (name: string) => Promise<string | null> | string,
): Promise<string[]> {
  const faults: string[] = []
  const firsts = new Map<string | null, string>()
  for (const [first = '', ...others] of lists) {
    const one = await read(first)
    if (one === null) faults.push(`${first} finds nobody`)
    const other = firsts.get(one)
    if (one !== null && other !== undefined) faults.push(`${first} and ${other} are one`)
    firsts.set(one, first)
    for (const name of others) {
      const found = await read(name)
      if (found === null) faults.push(`${name} finds nobody`)
      else if (found !== one) faults.push(`${first} and ${name} are two`)
    }
  }
  return faults
}

const NOT_SENT = 'not sent'

/** Returns the identifier that a message was sent to, or the text that it was not sent. */
function dialledOf(play: Play, label: string): string {
  if (!play.made.has(label)) return `${NOT_SENT}: refused`
  const { providerMessageId, channelId, status, errorCode } = messageOf(play, label)
  const { provider, qr, channels } = play.company
  const [name] = [...channels].find(([, { id }]) => id === channelId) ?? ['']
  const bySession = qr.bridge.sent.find(({ id }) => id === providerMessageId)
  if (bySession) return `${bySession.to.endsWith('@lid') ? 'lid' : 'number'}:${bySession.to}`
  const taken = provider.taken.find((one) => one.providerMessageId === providerMessageId)
  if (!taken) return `${NOT_SENT}: ${status} ${errorCode ?? ''}`.trim()
  return taken.to.startsWith('id:') ? `id:${name}:${taken.to.slice(3)}` : taken.to
}

/** Returns the label of the message that the run of a hook got. */
async function heardBy(play: Play, label: string): Promise<string | null> {
  const of = play.made.get(label)
  if (of?.kind !== 'run') throw new Error(`"${label}" started no run`)
  const [reply] = await repliesTo(play.company.world, of.runId)
  return reply ? labelOf(play, reply.messageId) : null
}

function labelOf(play: Play, messageId: string | null): string {
  const labels = [...play.made.keys()].filter((label) => {
    const of = play.made.get(label)!
    return (of.kind === 'of provider' || of.kind === 'message') && isOf(play, label, messageId)
  })
  return labels[0] ?? `message ${messageId}`
}

/** Reads the value of `{{identity}}` for an action in the conversation of a label. */
const actionValue = (kind: 'phone' | 'email') =>
  each(async (play, label) => {
    const { world, shop } = play.company
    const at = { companyId: shop.companyId, conversationId: talkOf(play, label) }
    const turn = await loadActionContext(world.database.db.kysely, at, world.clock.now())
    return turn?.identities[kind] ?? null
  })

/** Returns the sets of contacts that the list of duplicates shows together, on all its pages. */
async function suggestions({ company }: Play): Promise<Set<string>[]> {
  const owner = await company.owner()
  const list = `${company.path}/contact-duplicates`
  const { status, body } = await owner.ask<Partial<Page<DuplicateView>>>('GET', list)
  if (status !== 200) throw new Error(`the list of duplicates was answered ${status}`)
  const items = body.nextCursor ? await walkPages<DuplicateView>(owner, list, {}) : body.items
  return (items ?? []).map(({ contacts }) => new Set(contacts.map(({ id }) => id)))
}

const judgePairs =
  (isWanted: boolean): Judge<[string, string][]> =>
  async (play, pairs) => {
    const groups = await suggestions(play)
    return pairs.flatMap((pair) => {
      const ids = pair.map((letter) => contactOfLetter(play, letter))
      const isThere = groups.some((group) => ids.every((id) => group.has(id)))
      return isThere === isWanted
        ? []
        : [`${pair.join(' and ')} ${isThere ? 'are listed' : 'are not listed'}`]
    })
  }

const JUDGES: { [Name in keyof Required<Expected>]: Judge<Required<Expected>[Name]> } = {
  contacts: ({ moment, erased }, wanted) =>
    unlike('how many', wanted, moment.contacts.filter(({ id }) => !erased.has(id)).length),
  together: (play, lists) => judgeLists(lists, (identifier) => find(play, identifier)),
  async nobody(play, identifiers) {
    const faults: string[] = []
    for (const identifier of identifiers) {
      const id = await find(play, identifier)
      if (id !== null) faults.push(`${identifier} finds ${letterOf(play, id)}`)
    }
    return faults
  },
  optedOut: ofContact('optedOut'),
  phone: ofContact('phone'),
  whatsAppId: ofContact('whatsappId'),
  name: ofContact('name'),
  email: ofContact('email'),
  talks: (play, lists) => judgeLists(lists, (label) => talkOf(play, label)),
  events(play, wanted) {
    const noted = play.events.filter(({ type }) => NOTED_TYPES.test(type))
    const seen = noted.map(({ type, contactId }) =>
      contactId === null ? type : `${type} ${letterOf(play, contactId)}`,
    )
    return unlike('in order', wanted, seen)
  },
  dialled: each((play, label, wanted) => {
    const got = dialledOf(play, label)
    if (wanted === null) return got.startsWith(NOT_SENT) ? null : got
    return asLine(got) === asLine(typeof wanted === 'string' ? wanted : '') ? wanted : got
  }),
  heard: each(heardBy),
  starts(play, wanted) {
    const runs = play.moment.runs.filter(({ flowId }) => flowId === play.company.menuFlowId)
    const started = runs.map(({ triggerMessageId }) => labelOf(play, triggerMessageId))
    return unlike('by', wanted.toSorted(), started.toSorted())
  },
  booked: each(async (play, label) => {
    const of = play.made.get(label)
    if (of?.kind !== 'booking') throw new Error(`"${label}" booked nothing`)
    const all = await appointmentsOf(play.company.world, play.company.shop)
    const contactId = all.find(({ id }) => id === of.appointmentId)?.contactId
    return contactId ? letterOf(play, contactId) : null
  }),
  actionPhone: actionValue('phone'),
  actionEmail: actionValue('email'),
  suggested: judgePairs(true),
  notSuggested: judgePairs(false),
}
