import type { Transaction } from 'kysely'
import { bookAppointments } from '../../appointments/book-appointment.ts'
import type { BookedAppointment, BookingOutcome } from '../../appointments/booking.ts'
import { loadSlotInputs } from '../../appointments/slot-inputs.sql.ts'
import type { Context } from '../../../infra/context.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { transaction } from '../../../infra/database/transaction.ts'
import { TOOL_LIMITS } from '../../../core/limits/tools.ts'
import { dayAndTimeInWords } from '../../../rules/appointments/appointment-values.ts'
import { replyWords } from '../../../rules/assistant/reply-words.ts'
import { capabilitiesOf } from '../../../rules/messaging/channel-capabilities.ts'
import { withLatinDigits } from '../../../rules/text/latin-digits.ts'
import { textIn } from '../../../rules/text/text-in.ts'
import { instantAt } from '../../../rules/time/zone.ts'
import type { OfferedTool } from '../../../rules/assistant/offered-tool.ts'
import { findTimes } from './find-slots.ts'
import { lockForChange, NOT_HANDLED_HERE } from './lock-for-change.ts'
import {
  readNamedArguments,
  readTextArgument,
  refusalResult,
  WrongInput,
  type ToolArguments,
} from './read-input.ts'
import { languageOfTag, listNamedServices, readService, type NamedService } from './services.ts'
import type { Tool, ToolResult, ToolContext } from './tool.ts'
import { wasOffered } from './was-offered.sql.ts'

const NAME = 'book_appointment'

type BookingInput = {
  service: NamedService
  wall: string
  name: string | null
  phone: string | null
}

/**
 * The tool that books a time which was found, stated to the customer and chosen by them. The conversation identifies
 * the customer; a widget visitor is asked for name and number, which are kept as typed.
 *
 * Spec: Assistant › Tools; Appointments › Booking; Appointments › Customers; readings S10, S11, S12.
 */
export const bookAppointmentTool: Tool = {
  async offer({ db }, toolContext) {
    const services = await listNamedServices(db.kysely, toolContext)
    return services.length === 0 ? [] : [toolOf(services, toolContext)]
  },
  isNamed: (name) => name === NAME,
  async use(context, toolContext, _name, args) {
    const request = readRequest(
      args,
      await listNamedServices(context.db.kysely, toolContext),
      toolContext,
    )
    if (request instanceof WrongInput) return refusalResult(request.message)
    const outcome = await transaction(context.db, (tx) => book(tx, context, toolContext, request))
    if (outcome === null) return NOT_HANDLED_HERE
    if (outcome === 'not_offered') return refusalResult(NOT_OFFERED)
    if (outcome.outcome === 'booked') return formatBooked(outcome.appointment, toolContext)
    if (outcome.outcome !== 'slot_taken') return refusalResult(REFUSALS[outcome.outcome])
    const { text, starts } = await findTimes(
      context,
      toolContext,
      request.service,
      request.wall.slice(0, 10),
    )
    const refusal = refusalResult(`That time is no longer free. Offer others.\n${text}`)
    return { ...refusal, data: { service: request.service.name, starts } }
  },
}

const NOT_OFFERED =
  'Nothing was booked: the customer was not told this time in the last 30 minutes. Find free times, tell them, and book what they choose after that.'

const REFUSALS = {
  too_many:
    'Nothing was booked: this customer has as many coming appointments as one may have. The staff can book more.',
  not_bookable: 'Nothing was booked: this cannot be booked any more.',
} as const

function toolOf(services: readonly NamedService[], toolContext: ToolContext): OfferedTool {
  const isVisitor = needsContact(toolContext)
  return {
    name: NAME,
    description:
      'Books an appointment at a time that the customer has chosen of those that you told them. The customer is told what was booked, when, and its reference below your text.',
    parameters: {
      type: 'object',
      properties: {
        service: { type: 'string', enum: services.map(({ name }) => name) },
        starts: {
          type: 'string',
          description: 'Day and time as they were found: YYYY-MM-DDTHH:MM',
        },
        ...(isVisitor && {
          name: { type: 'string', description: 'As the customer typed it: ask for it' },
          phone: { type: 'string', description: 'As the customer typed it: ask for it' },
        }),
      },
      required: ['service', 'starts', ...(isVisitor ? ['name', 'phone'] : [])],
      additionalProperties: false,
    },
  }
}

/** Returns whether to ask for name and number: a visitor is known by the conversation only. */
const needsContact = ({ channelType }: ToolContext) => !capabilitiesOf(channelType).hasContacts

const WALL = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}$/

function readRequest(
  args: unknown,
  services: readonly NamedService[],
  toolContext: ToolContext,
): BookingInput | WrongInput {
  const who = needsContact(toolContext) ? ['name', 'phone'] : []
  const given = readNamedArguments(args, ['service', 'starts', ...who])
  if (given instanceof WrongInput) return given
  const service = readService(given, services)
  if (service instanceof WrongInput) return service
  const starts = readTextArgument(given, 'starts', 20)
  if (starts instanceof WrongInput) return starts
  const wall = withLatinDigits(starts ?? '').replace(' ', 'T')
  if (!WALL.test(wall) || Number.isNaN(Date.parse(`${wall}:00Z`))) {
    return new WrongInput('starts must be a day and time as YYYY-MM-DDTHH:MM.')
  }
  if (who.length === 0) return { service, wall, name: null, phone: null }
  const customer = readWho(given)
  return customer instanceof WrongInput ? customer : { service, wall, ...customer }
}

function readWho(given: ToolArguments): { name: string; phone: string } | WrongInput {
  const name = readTextArgument(given, 'name', TOOL_LIMITS.nameChars)
  if (name instanceof WrongInput) return name
  const phone = readTextArgument(given, 'phone', TOOL_LIMITS.phoneChars)
  if (phone instanceof WrongInput) return phone
  if (name === null || phone === null) {
    return new WrongInput('Ask the customer for their name and their phone number first.')
  }
  if (/^\+?[\d\s()./-]{5,}$/.test(withLatinDigits(phone))) return { name, phone }
  return new WrongInput('phone must be a phone number, as the customer typed it.')
}

async function book(
  tx: Transaction<DB>,
  { ids, clock }: Context,
  toolContext: ToolContext,
  { service, wall, name, phone }: BookingInput,
): Promise<BookingOutcome | 'not_offered' | null> {
  const now = clock.now()
  if (!(await lockForChange(tx, toolContext, now))) return null
  const zone = await zoneOf(tx, toolContext, service, now)
  if (zone === null) return { outcome: 'not_bookable' }
  const { at, isShown } = instantAt(zone, Date.parse(`${wall}:00Z`))
  const startsAt = new Date(at)
  const request = { serviceId: service.id, startsAt, zone }
  if (!isShown || !(await wasOffered(tx, toolContext, request, now))) return 'not_offered'
  const [outcome] = await bookAppointments(tx, { ids, now }, [
    {
      companyId: toolContext.companyId,
      source: 'assistant',
      serviceId: service.id,
      resourceId: null,
      startsAt,
      customer: {
        contactId: toolContext.contactId,
        conversationId: toolContext.conversationId,
        name,
        phone,
        email: null,
      },
      language: languageOfTag(toolContext.language),
      // A resumed reply books once.
      requestKey: `assistant:${toolContext.replyId}:${service.id}:${startsAt.toISOString()}`,
    },
  ])
  return outcome!
}

async function zoneOf(
  tx: Transaction<DB>,
  { companyId }: ToolContext,
  { id: serviceId }: NamedService,
  now: Date,
): Promise<string | null> {
  const facts = await loadSlotInputs(tx, [{ companyId, serviceId }], { from: now, to: now })
  return facts.get(serviceId)?.page.zone ?? null
}

function formatBooked(appointment: BookedAppointment, toolContext: ToolContext): ToolResult {
  const { serviceName, serviceNameAr, startsAt, zone, reference } = appointment
  const language = languageOfTag(toolContext.language)
  const what = textIn(language, serviceName, serviceNameAr)
  const when = dayAndTimeInWords(startsAt, zone, language)
  return {
    text: `It is booked: ${what}, ${when}, reference ${reference}. The customer is told exactly that below your text: do not repeat it.`,
    isDone: true,
    hasEffect: true,
    says: [`✓ ${what}`, when, `${replyWords[language].reference} ${reference}`].join('\n'),
    data: { reference, startsAt: startsAt.toISOString() },
  }
}
