/**
 * Plays Meta for development and tests: the Graph API of WhatsApp, its signed webhooks, and the
 * phones of pretend customers on a page. It is a provider on another base URL: the service talks to
 * it as it would to Meta. It listens on loopback only and sends nothing to WhatsApp.
 *
 * A message goes accepted → sent → delivered → read, or accepted → failed; each step is a webhook.
 * What was answered survives the end of the process when there is a journal file.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { SECOND_MS, type Clock } from './time.ts'
import { SIMULATOR_LIMITS } from './limits.ts'
import { createActivity } from './activity.ts'
import { createAutoReply } from './whatsapp/auto-reply.ts'
import type { AutoReply } from './whatsapp/auto-reply.ts'
import { isByHand, templateKey } from './whatsapp/book.ts'
import type { BusinessNumber } from './whatsapp/business-number.ts'
import { createCustomerActions } from './whatsapp/customer-actions.ts'
import type { CustomerActions } from './whatsapp/customer-actions.ts'
import { createGraph } from './whatsapp/graph-routes.ts'
import type { Refusal } from './whatsapp/graph-routes.ts'
import {
  asMoved,
  createIdentityActions,
  type IdentityActions,
} from './whatsapp/identity-actions.ts'
import { openLedger } from './whatsapp/ledger.ts'
import type { SimulatorLog } from './whatsapp/ledger.ts'
import { isLoopback, isOwnPage } from './loopback.ts'
import { createMediaRoutes } from './whatsapp/media-routes.ts'
import { createMediaShelf, type ShelvedFile } from './media-shelf.ts'
import { writeJson } from './page-answer.ts'
import { createPage } from './whatsapp/page-routes.ts'
import { DEFAULT_PEOPLE, makePerson } from './person.ts'
import type { PersonInput } from './person.ts'
import { plainMessage, type PlainMessage } from './whatsapp/plain-message.ts'
import type { SimulatedProvider } from './provider.ts'
import { createProviderRoutes } from './provider-routes.ts'
import { listSent } from './whatsapp/sent-message.ts'
import type { SentMessage } from './whatsapp/sent-message.ts'
import { createStatusLadder } from './whatsapp/status-ladder.ts'
import { createTemplateReview } from './whatsapp/template-review.ts'
import { createTimers } from './timers.ts'
import { createTypingShown, type TypingShown } from './typing-shown.ts'
import { USUAL_SWITCHES, startWebhookQueue } from './whatsapp/webhook-queue.ts'
import type { WebhookSwitches } from './whatsapp/webhook-queue.ts'

export type SimulatorOptions = {
  /** A loopback address; 127.0.0.1 unless told. */
  host?: string
  /** 0 takes any free one. */
  port: number
  /** Null keeps nothing beyond the process. */
  journalFile: string | null
  numbers: readonly BusinessNumber[]
  /** Others that are played beside WhatsApp. */
  providers?: readonly SimulatedProvider[]
  clock: Clock
  log: SimulatorLog
  customers?: readonly PersonInput[]
  /** What was said before it began: nobody is told of it, and it stands on the phones. */
  earlier?: readonly PlainMessage[]
  /** Customers tap the first button of what they read, or answer with the text if it has none. */
  autoReply?: boolean | AutoReply
  /** Phones read by themselves; with `autoReply` they do anyway. */
  autoRead?: boolean
  /** Between two statuses of a message. */
  stepMs?: number
  templateApprovalMs?: number
  webhooks?: Partial<WebhookSwitches>
}

export type Simulator = CustomerActions &
  IdentityActions & {
    /** The origin, without a slash at the end. */
    url: string
    graphBaseUrl: string
    pageUrl: string
    /** Adds a number, or changes what is known of it, and sends what waited for it. */
    addNumber: (number: BusinessNumber) => void
    /** Meta's verdict on a template changes: `PAUSED`, `DISABLED`, `APPROVED`, … */
    changeTemplate: (wanted: {
      businessAccountId: string
      name: string
      language: string
      status: string
    }) => void
    /** The customer opens the chat: what was delivered in it is read. */
    readChat: (chat: { from: string; phoneNumberId: string }) => void
    messages: () => SentMessage[]
    refusals: () => Refusal[]
    /** Each time that the business showed that it writes. */
    typing: TypingShown['all']
    /** What was uploaded or sent under an id; undefined where WhatsApp has it no more. */
    mediaFile: (id: string) => ShelvedFile | undefined
    forgetMedia: (id: string) => void
    /** May be changed at any time. */
    switches: WebhookSwitches
    /** Resolves when nothing moves any more and every webhook is answered or set aside. */
    idle: () => Promise<void>
    /** Stops at once; with a journal the next start goes on from here. */
    close: () => Promise<void>
  }

/**
 * Starts the simulator.
 * @throws Error when the host is not loopback, the port is taken, or the journal cannot be used.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { host = '127.0.0.1', port } = options
  if (!isLoopback(host)) {
    throw new Error(`The WhatsApp simulator listens on loopback only, not on ${host}`)
  }
  const server = createServer({ requestTimeout: 15 * SECOND_MS, keepAliveTimeout: 75 * SECOND_MS })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'), resolve)
  })
  try {
    // The journal is opened after the port, so that a second one of us leaves it alone.
    return runSimulator(server, host, options)
  } catch (error) {
    server.close()
    throw error
  }
}

function runSimulator(server: Server, host: string, options: SimulatorOptions): Simulator {
  const { clock, log, stepMs = SIMULATOR_LIMITS.stepMs } = options
  const { templateApprovalMs: approvalMs = SIMULATOR_LIMITS.templateApprovalMs } = options
  const autoReply = options.autoReply === true ? {} : options.autoReply || null
  const switches: WebhookSwitches = { ...USUAL_SWITCHES, ...options.webhooks }
  const ledger = openLedger(options.journalFile, log)
  const { book } = ledger
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const url = `http://${name}:${(server.address() as AddressInfo).port}`
  const numbers = new Map<string, BusinessNumber>()
  const refusals: Refusal[] = []
  const activity = createActivity()
  const timers = createTimers(activity, (error) => {
    log(`Simulator: it could not go on: ${String(error)}`)
  })
  const unsubscribed = new Set<string>()
  const queue = startWebhookQueue({ ledger, numbers, unsubscribed, switches, activity, log })
  const shelf = createMediaShelf()
  const media = createMediaRoutes({ shelf, clock })
  const typing = createTypingShown({ clock, shownMs: SIMULATOR_LIMITS.typingMs })
  const actions = createCustomerActions({ ledger, numbers, clock, shelf })
  const identityActions = createIdentityActions({ ledger, numbers, clock })
  const replies = createAutoReply({ ledger, actions, timers, autoReply, stepMs })
  const ladder = createStatusLadder({
    ledger,
    numbers,
    clock,
    timers,
    switches,
    stepMs,
    readsAlone: options.autoRead ? 'all' : autoReply === null ? 'none' : 'not_by_hand',
    onRead: replies.replyLater,
  })
  const review = createTemplateReview({ ledger, clock, timers, approvalMs })

  function addNumber(given: BusinessNumber): void {
    const number = asMoved(book, given)
    const { businessAccountId, phoneNumberId } = number
    const isFirst = ![...numbers.values()].some((n) => n.businessAccountId === businessAccountId)
    numbers.set(phoneNumberId, number)
    const changed = number.templates.filter((template) => {
      const kept = book.templates.get(templateKey(businessAccountId, template))?.template
      // The status is Meta's word, and may have changed since.
      return !isDeepStrictEqual({ ...kept, status: '' }, { ...template, status: '' })
    })
    if (changed.length > 0) {
      ledger.commit(changed.map((template) => ({ kind: 'template', businessAccountId, template })))
    }
    // What an earlier process left unfinished.
    for (const kept of isFirst ? [...book.templates.values()] : []) {
      if (kept.businessAccountId === businessAccountId && kept.template.status === 'PENDING') {
        review.approveLater(number, kept.template)
      }
    }
    for (const message of book.messages.values()) {
      if (message.phoneNumberId === phoneNumberId && message.direction === 'to_customer') {
        ladder.climb(message.wamid)
        if (message.status === 'read') {
          replies.replyLater(message)
        }
      }
    }
    queue.wake(phoneNumberId)
  }

  const graph = createGraph({
    ledger,
    numbers,
    clock,
    log,
    media,
    typing,
    unsubscribed,
    origin: url,
    awaitsReply: (customer) => autoReply !== null && !isByHand(book, customer),
    onSend: ladder.climb,
    onTemplate: review.approveLater,
    onRefusal(refusal) {
      refusals.push(refusal)
      refusals.splice(0, refusals.length - SIMULATOR_LIMITS.refusals)
    },
  })
  const canAnswerAlone = autoReply !== null
  const providers = options.providers ?? []
  for (const provider of providers) provider.mount(`${url}/simulator/${provider.name}`)
  const mounted = providers.map(createProviderRoutes)
  const tabs = [{ path: '/simulator', title: 'WhatsApp' }, ...mounted.map(({ tab }) => tab)]
  const page = createPage({
    ledger,
    numbers,
    clock,
    actions: { ...actions, ...identityActions },
    ladder,
    typing,
    canAnswerAlone,
    tabs,
  })

  async function answerOne(
    request: IncomingMessage,
    response: ServerResponse,
    asked: URL,
  ): Promise<void> {
    const path = asked.pathname
    if (path.startsWith('/simulator/graph/')) return graph(request, response, asked)
    const provider = mounted.find(({ has }) => has(path))
    if (provider && !provider.isPage(path)) return provider.answer(request, response, asked)
    const { host: askedHost, origin } = request.headers
    if (!isOwnPage({ ...(askedHost ? { host: askedHost } : {}), ...(origin ? { origin } : {}) })) {
      return writeJson(response, 403, { error: 'Only the page of this simulator may do that' })
    }
    return (provider?.answerPage ?? page.answer)(request, response, asked)
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const target = `${url}${request.url ?? '/'}`
    const asked = new URL(URL.canParse(target) ? target : url)
    answerOne(request, response, asked).catch((error: unknown) => {
      log(`Simulator: an answer was broken off: ${String(error)}`)
      response.destroy()
    })
  }

  server.on('request', answer)

  const people = (options.customers ?? DEFAULT_PEOPLE).map(makePerson).flatMap((person) => {
    const known = book.people.get(person.number)
    // Who had the number has another one by now.
    if (known === undefined) return book.holders.has(person.number) ? [] : [person]
    // Who was written to before they had a name was called by the number.
    const isUnnamed = known.name === makePerson({ number: person.number }).name
    return isUnnamed && known.name !== person.name ? [{ ...known, name: person.name }] : []
  })
  if (people.length > 0) {
    ledger.commit(people.map((person) => ({ kind: 'person', person })))
  }
  if (options.earlier && options.earlier.length > 0) {
    ledger.commit(options.earlier.map((said) => ({ kind: 'message', message: plainMessage(said) })))
  }
  for (const number of options.numbers) {
    addNumber(number)
  }

  return {
    ...actions,
    ...identityActions,
    url,
    graphBaseUrl: `${url}/simulator/graph`,
    pageUrl: `${url}/simulator`,
    addNumber,
    changeTemplate({ businessAccountId, status, ...wanted }) {
      const kept = book.templates.get(templateKey(businessAccountId, wanted))
      const number = [...numbers.values()].find((n) => n.businessAccountId === businessAccountId)
      if (kept === undefined || number === undefined) {
        throw new Error(`No template ${wanted.name} in ${wanted.language}`)
      }
      review.setStatus(number, kept.template, status)
    },
    readChat: ({ from, phoneNumberId }) => ladder.readChat(phoneNumberId, from),
    messages: () => listSent(book),
    refusals: () => [...refusals],
    typing: typing.all,
    mediaFile: shelf.find,
    forgetMedia: shelf.forget,
    switches,
    async idle() {
      await Promise.all([activity.idle(), ...providers.map((provider) => provider.idle())])
    },
    async close() {
      timers.stop()
      page.stop()
      await Promise.all(mounted.map((provider) => provider.stop()))
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await queue.stop()
      await closed
    },
  }
}
