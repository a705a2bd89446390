/**
 * Simulates Messenger or Instagram: the part of the Graph API for sending and for profiles, signed webhooks, and the
 * phones of simulated customers. The service uses it as it would use Meta, with another base URL. No message leaves
 * the machine.
 */
import { GraphError } from '../graph-error.ts'
import { createMediaShelf } from '../media-shelf.ts'
import type { SimulatorEnvironment, SimulatedProvider } from '../provider.ts'
import { openBook, type Said } from './book.ts'
import { createCustomers, type Customers } from './customers.ts'
import { createMessagingGraph } from './graph.ts'
import {
  USUAL_SWITCHES,
  type Forced,
  type MessagingAccount,
  type MessagingSwitches,
  type Product,
} from './messaging-account.ts'
import { createMessagingPhones } from './phones.ts'
import { readSend, requireReachable } from './read-send.ts'
import { createTalk, type Talk, type TalkDeps } from './talk.ts'
import { createTypingShown, type TypingShown } from '../typing-shown.ts'
import { createWebhookSender } from './webhook-sender.ts'

/** The handles of the simulator for the program that started it. */
export type MessagingSimulator = SimulatedProvider &
  Customers & {
    product: Product
    addAccount(account: MessagingAccount): void
    /** The messages that the account sent, in order. */
    sent(): Said[]
    /** The times at which the account's typing indicator was shown, the oldest first. */
    typing: TypingShown['all']
    /** Forces the outcome of the next message to this customer. */
    force(personId: string, outcome: Forced): void
    /** Faults, which may be changed at any time. */
    switches: MessagingSwitches
  }

/** The display time in Messenger; Instagram documents none. */
const TYPING_SHOWN_MS = 20_000

const TITLES: Record<Product, string> = { messenger: 'Messenger', instagram: 'Instagram' }
/** The id of an app that sends for the account. */
const APP_ID = 1_517_776_481_860_111

/** The accounts and customers with which the simulator starts. */
export type MessagingOptions = {
  /** Null stores nothing beyond the process. */
  stateFile?: string | null
  accounts?: readonly MessagingAccount[]
  /** Customers of the first account, which exist from the first start. */
  people?: readonly { id: string; name: string }[]
}

/** Creates the simulator of Messenger or Instagram: Graph API, webhooks and customers' phones. */
export function createMessagingSimulator(
  product: Product,
  { origin, clock, log }: SimulatorEnvironment,
  { stateFile = null, accounts: first = [], people = [] }: MessagingOptions,
): MessagingSimulator {
  const baseUrl = `${origin}/simulator/${product}`
  const book = openBook(stateFile, log)
  const shelf = createMediaShelf()
  const accounts = new Map<string, MessagingAccount>()
  const switches = { ...USUAL_SWITCHES }
  const listeners = new Set<() => void>()
  const forced = new Map<string, Forced>()
  const now = () => clock.now().getTime()
  const webhooks = createWebhookSender({ product, accounts, switches, now, log, onEmpty: changed })

  function changed(): void {
    book.changed()
    for (const listener of listeners) listener()
  }
  function addAccount(account: MessagingAccount): void {
    accounts.set(account.id, account)
    for (const { id, name } of accounts.size === 1 ? people : []) {
      if (!book.person(account.id, id)) book.addPerson(account.id, name, id)
    }
    changed()
  }
  const fileUrl = (id: string) => `${baseUrl}/files/${id}`
  const deps = { product, book, shelf, webhooks, switches, now, changed, fileUrl }
  const talk = createTalk(deps)
  const customers = createCustomers(talk, deps)
  const send = createSend({ ...deps, talk, customers, forced })
  const typing = createTypingShown({ clock, shownMs: TYPING_SHOWN_MS })
  typing.onChange(changed)
  const graph = createMessagingGraph({
    product,
    accounts,
    book,
    shelf,
    send,
    showTyping({ id }, personId) {
      requireReachable(product, book.person(id, personId), now())
      typing.begin(id, personId)
    },
  })
  for (const account of first) addAccount(account)

  return {
    product,
    name: product,
    title: TITLES[product],
    baseUrl,
    answer: (request, response, url) => {
      const path = url.pathname.slice(`/simulator/${product}`.length)
      return graph(request, response, { path, query: url.searchParams })
    },
    phones: createMessagingPhones({
      ...deps,
      accounts,
      customers,
      forced,
      waiting: webhooks.waiting,
      typing,
      listeners,
    }),
    idle: webhooks.idle,
    async close() {
      await webhooks.stop()
      book.flush()
    },
    ...customers,
    addAccount,
    sent: () => book.said().filter(({ from }) => from === 'business'),
    typing: typing.all,
    force: (personId, outcome) => void forced.set(personId, outcome),
    switches,
  }
}

/** Creates the function that accepts or refuses an account's messages. */
function createSend({
  product,
  book,
  shelf,
  now,
  changed,
  talk,
  customers,
  forced,
}: TalkDeps & { talk: Talk; customers: Customers; forced: Map<string, Forced> }) {
  return function send({ id: accountId }: MessagingAccount, personId: string, body: unknown) {
    const outcome = forced.get(personId)
    forced.delete(personId)
    if (outcome === 'rate') throw new GraphError(400, 613, errorOf(613, RATE_LIMITED))
    if (outcome === 'fault') throw new GraphError(500, 2, errorOf(2, UNAVAILABLE))
    if (outcome === 'lost') return null
    requireReachable(product, book.person(accountId, personId), now())
    const isKept = (id: string) => shelf.find(id) !== undefined
    const { metadata, ...content } = readSend(product, body, isKept)
    const said = talk.keep({ accountId, personId }, 'business', content)
    talk.echo(said, { app_id: APP_ID, ...(metadata === null ? {} : { metadata }) })
    customers.deliver(said)
    changed()
    return { mid: said.mid, isAnswered: outcome !== 'hang' }
  }
}

const RATE_LIMITED = 'Calls to this api have exceeded the rate limit.'
const UNAVAILABLE = 'Service temporarily unavailable'
const errorOf = (code: number, message: string) => ({
  message: `(#${code}) ${message}`,
  type: 'OAuthException',
  code,
})
