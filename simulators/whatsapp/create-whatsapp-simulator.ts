/**
 * Simulates Meta for development and tests: the Graph API of WhatsApp, its signed webhooks, and the phones of
 * simulated customers on a page. No message goes to WhatsApp.
 *
 * A message goes accepted → sent → delivered → read, or accepted → failed; each step is a webhook. With a journal
 * file, answered calls survive the end of the process.
 */
import { createActivity } from '../activity.ts'
import { SIMULATOR_LIMITS } from '../limits.ts'
import { createMediaShelf, type ShelvedFile } from '../media-shelf.ts'
import { DEFAULT_PEOPLE, makePerson, type PersonInput } from '../person.ts'
import type { SimulatorEnvironment } from '../provider.ts'
import type { Site } from '../site.ts'
import { createTimers } from '../timers.ts'
import { createTypingShown, type TypingShown } from '../typing-shown.ts'
import { createAutoReply, type AutoReply } from './auto-reply.ts'
import { isByHand, type Book, type Entry } from './book.ts'
import type { BusinessNumber } from './business-number.ts'
import { createNumbers, type ChangedTemplate } from './create-numbers.ts'
import { createCustomerActions, type CustomerActions } from './customer-actions.ts'
import type { Refusal } from './graph-actions.ts'
import { createGraph } from './graph-routes.ts'
import { createIdentityActions, type IdentityActions } from './identity-actions.ts'
import { openLedger } from './ledger.ts'
import { createMediaRoutes } from './media-routes.ts'
import { createPage } from './page-routes.ts'
import { plainMessage, type PlainMessage } from './plain-message.ts'
import { listSent, type SentMessage } from './sent-message.ts'
import { createStatusProgress } from './status-progress.ts'
import { createTemplateReview } from './template-review.ts'
import { USUAL_SWITCHES, startWebhookQueue, type WebhookSwitches } from './webhook-queue.ts'

/** The numbers and customers with which the simulator starts, and its behaviour. */
export type WhatsAppOptions = {
  numbers?: readonly BusinessNumber[]
  /** Null stores nothing beyond the process. */
  journalFile?: string | null
  /** The simulated customers; the default is three of them. */
  customers?: readonly PersonInput[]
  /** Messages from before the start. They are on the phones, and no webhook reports them. */
  earlier?: readonly PlainMessage[]
  /** Customers tap the first button of a read message, or answer with the text if it has none. */
  autoReply?: boolean | AutoReply
  /** Phones read automatically; with `autoReply` they always do. */
  autoRead?: boolean
  /** The delay between two statuses of a message. */
  stepMs?: number
  templateApprovalMs?: number
  webhooks?: Partial<WebhookSwitches>
}

/** The handles of the simulator for the program that started it. */
export type WhatsAppSimulator = CustomerActions &
  IdentityActions & {
    /** The base URL of its Graph API, without a slash at the end. */
    baseUrl: string
    /** Adds a number or changes its data, and sends its pending webhooks. */
    addNumber: (number: BusinessNumber) => void
    /** Changes a template's status as Meta would: `PAUSED`, `DISABLED`, `APPROVED`, … */
    changeTemplate: (wanted: ChangedTemplate) => void
    /** Opens the chat as the customer, which reads all delivered messages. */
    readChat: (chat: { from: string; phoneNumberId: string }) => void
    messages: () => SentMessage[]
    refusals: () => Refusal[]
    /** The times at which the business showed its typing indicator. */
    typing: TypingShown['all']
    /** Returns the file of an upload or message by its id; undefined if WhatsApp has deleted it. */
    mediaFile: (id: string) => ShelvedFile | undefined
    forgetMedia: (id: string) => void
    /** Faults, which may be changed at any time. */
    switches: WebhookSwitches
    /** Resolves when no work is left and every webhook is answered or given up. */
    idle: () => Promise<void>
  }

/**
 * Creates the simulator of WhatsApp's Cloud API with customers' phones.
 * @throws Error if the journal is unusable
 */
export function createWhatsAppSimulator(
  { origin, clock, log }: SimulatorEnvironment,
  options: WhatsAppOptions,
): { simulator: WhatsAppSimulator; site: Site } {
  const { stepMs = SIMULATOR_LIMITS.stepMs } = options
  const { templateApprovalMs: approvalMs = SIMULATOR_LIMITS.templateApprovalMs } = options
  const autoReply = options.autoReply === true ? {} : options.autoReply || null
  const switches: WebhookSwitches = { ...USUAL_SWITCHES, ...options.webhooks }
  const ledger = openLedger(options.journalFile ?? null, log)
  const { book } = ledger
  const numbers = new Map<string, BusinessNumber>()
  const refusals: Refusal[] = []
  const activity = createActivity()
  const timers = createTimers(activity, (error) => {
    log(`Simulator: a delayed action failed: ${String(error)}`)
  })
  const unsubscribed = new Set<string>()
  const queue = startWebhookQueue({ ledger, numbers, unsubscribed, switches, activity, log })
  const shelf = createMediaShelf()
  const media = createMediaRoutes({ shelf, clock })
  const typing = createTypingShown({ clock, shownMs: SIMULATOR_LIMITS.typingMs })
  const actions = {
    ...createCustomerActions({ ledger, numbers, clock, shelf }),
    ...createIdentityActions({ ledger, numbers, clock }),
  }
  const replies = createAutoReply({ ledger, actions, timers, autoReply, stepMs })
  const readsAlone = options.autoRead ? 'all' : autoReply === null ? 'none' : 'not_by_hand'
  const onRead = replies.replyLater
  const input = { ledger, numbers, clock, timers, switches, stepMs, readsAlone, onRead } as const
  const progress = createStatusProgress(input)
  const review = createTemplateReview({ ledger, clock, timers, approvalMs })
  const { addNumber, changeTemplate } = createNumbers({
    ledger,
    numbers,
    progress,
    review,
    replies,
    queue,
  })
  const graph = createGraph({
    ledger,
    numbers,
    clock,
    log,
    media,
    typing,
    unsubscribed,
    origin,
    awaitsReply: (customer) => autoReply !== null && !isByHand(book, customer),
    onSend: progress.advance,
    onTemplate: review.approveLater,
    onRefusal(refusal) {
      refusals.push(refusal)
      refusals.splice(0, refusals.length - SIMULATOR_LIMITS.refusals)
    },
  })
  const canAnswerAlone = autoReply !== null
  const page = createPage({ ledger, numbers, clock, actions, progress, typing, canAnswerAlone })
  const begun = beginBook(book, options)
  if (begun.length > 0) ledger.commit(begun)
  for (const number of options.numbers ?? []) addNumber(number)
  return {
    simulator: {
      ...actions,
      baseUrl: `${origin}/simulator/graph`,
      addNumber,
      changeTemplate,
      readChat: ({ from, phoneNumberId }) => progress.readChat(phoneNumberId, from),
      messages: () => listSent(book),
      refusals: () => [...refusals],
      typing: typing.all,
      mediaFile: shelf.find,
      forgetMedia: shelf.forget,
      switches,
      idle: activity.idle,
    },
    site: {
      ...page,
      answer: graph,
      async stop() {
        timers.stop()
        page.stop()
        await queue.stop()
      },
    },
  }
}

/** Returns the entries of customers and earlier messages that the book lacks. */
function beginBook(book: Book, { customers, earlier = [] }: WhatsAppOptions): Entry[] {
  const people = (customers ?? DEFAULT_PEOPLE).map(makeEach).flatMap((person): Entry[] => {
    const known = book.people.get(person.number)
    // The earlier holder of the number has another one by now.
    if (known === undefined)
      return book.holders.has(person.number) ? [] : [{ kind: 'person', person }]
    // A customer who was messaged before they got a name has the number as their name.
    const isUnnamed = known.name === makePerson({ number: person.number }).name
    if (!isUnnamed || known.name === person.name) return []
    return [{ kind: 'person', person: { ...known, name: person.name } }]
  })
  const said = earlier.map((message): Entry => ({
    kind: 'message',
    message: plainMessage(message),
  }))
  return [...people, ...said]
}

const makeEach = (input: PersonInput) => makePerson(input)
