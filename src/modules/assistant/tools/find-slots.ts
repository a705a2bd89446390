import { sql } from 'kysely'
import { loadSlotInputs } from '../../appointments/slot-inputs.sql.ts'
import type { Context } from '../../../infra/context.ts'
import { BOOKING_SETUP_LIMITS } from '../../../core/limits/appointments.ts'
import { DAY_MS } from '../../../core/limits/units.ts'
import { TOOL_LIMITS } from '../../../core/limits/tools.ts'
import { dayInWords } from '../../../rules/appointments/appointment-values.ts'
import { offerDay } from '../../../rules/appointments/offer-day.ts'
import { withLatinDigits } from '../../../rules/text/latin-digits.ts'
import { instantAt, wallTextAt } from '../../../rules/time/zone.ts'
import {
  lookupResult,
  readNamedArguments,
  readTextArgument,
  refusalResult,
  WrongInput,
} from './read-input.ts'
import { languageOfTag, listNamedServices, readService, type NamedService } from './services.ts'
import type { Tool, ToolContext } from './tool.ts'

const NAME = 'find_slots'
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/

/** The tool that finds free times and records them: only a time that was found and then stated can be booked. */
export const findSlotsTool: Tool = {
  async offer({ db }, toolContext) {
    const services = await listNamedServices(db.kysely, toolContext)
    if (services.length === 0) return []
    return [
      {
        name: NAME,
        description:
          'Finds free times for an appointment. Tell the customer a few of them with their day, each time as it stands in the answer, and let them choose.',
        parameters: {
          type: 'object',
          properties: {
            service: {
              type: 'string',
              enum: services.map(({ name }) => name),
              description: services
                .map(({ name, minutes }) => `${name}: ${minutes} min`)
                .join('; '),
            },
            day: {
              type: 'string',
              description: 'From which day on: YYYY-MM-DD; from now on unless told',
            },
          },
          required: ['service'],
          additionalProperties: false,
        },
      },
    ]
  },
  isNamed: (name) => name === NAME,
  async use(context, toolContext, _name, args) {
    const given = readNamedArguments(args, ['service', 'day'])
    if (given instanceof WrongInput) return refusalResult(given.message)
    const service = readService(given, await listNamedServices(context.db.kysely, toolContext))
    if (service instanceof WrongInput) return refusalResult(service.message)
    const text = readTextArgument(given, 'day', 10)
    if (text instanceof WrongInput) return refusalResult(text.message)
    const day = text && withLatinDigits(text)
    if (day !== null && (!ISO_DAY.test(day) || Number.isNaN(Date.parse(day)))) {
      return refusalResult('day must be a day as YYYY-MM-DD.')
    }
    const times = await findTimes(context, toolContext, service, day)
    return lookupResult(times.text, { service: service.name, starts: times.starts })
  },
}

const NOTHING_FREE = `Nothing is free within ${TOOL_LIMITS.timesLookDays} days of that.`
// No company lets customers book farther ahead.
const FARTHEST_MS = BOOKING_SETUP_LIMITS.maxDays * DAY_MS

/** Finds the first day with free times of a service, returns it in words for the model, and records the times. */
export async function findTimes(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  toolContext: ToolContext,
  service: NamedService,
  day: string | null,
): Promise<{ text: string; starts: string[] }> {
  const now = clock.now()
  const { timesFound: limit, timesLookDays: lookDays } = TOOL_LIMITS
  const services = [{ companyId: toolContext.companyId, serviceId: service.id }]
  // The day is in the company's time zone, up to a day before or after that of UTC.
  const near = day === null ? now.getTime() : Date.parse(day) - DAY_MS
  if (near > now.getTime() + FARTHEST_MS) return { text: NOTHING_FREE, starts: [] }
  const range = {
    from: new Date(Math.max(near, now.getTime())),
    to: new Date(Math.max(near, now.getTime()) + (lookDays + 2) * DAY_MS),
  }
  const facts = (await loadSlotInputs(db.kysely, services, range, { isUnited: true })).get(
    service.id,
  )
  if (!facts) return { text: 'It cannot be booked.', starts: [] }
  const { zone } = facts.page
  const from = day === null ? now : new Date(instantAt(zone, Date.parse(day)).at)
  const offer = offerDay({ ...facts, now }, from > now ? from : now, { max: limit, lookDays })
  if (!offer) return { text: NOTHING_FREE, starts: [] }
  const { starts, moreFrom, otherDayFrom } = offer
  await recordFound(db, toolContext, service.id, starts, now)
  const timeOf = (at: Date) => wallTextAt(zone, at).slice(11)
  const language = languageOfTag(toolContext.language)
  const dayOf = (at: Date) =>
    `${wallTextAt(zone, at).slice(0, 10)} (${dayInWords(at, zone, language)})`
  const lines = [
    `Free for ${service.name} on ${dayOf(starts[0]!)}: ${starts.map(timeOf).join(', ')}`,
    ...(moreFrom ? [`More that day from ${timeOf(moreFrom)} on.`] : []),
    ...(otherDayFrom ? [`The next day with free times is ${dayOf(otherDayFrom)}.`] : []),
    'Tell the customer a few of them with the day, each time as it stands here. Book only what they choose after that.',
  ]
  return { text: lines.join('\n'), starts: starts.map((start) => start.toISOString()) }
}

/** Records found times. One that is found again keeps its first time, so that a message since then still counts. */
async function recordFound(
  db: Context['db'],
  { companyId, conversationId }: ToolContext,
  serviceId: string,
  starts: readonly Date[],
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - TOOL_LIMITS.timeOfferedMs)
  await sql`
    insert into offered_slot (conversation_id, company_id, service_id, starts_at, found_at)
    select ${conversationId}, ${companyId}, ${serviceId}, starts_at, ${now}
    from unnest(${starts}::timestamptz[]) as starts_at
    on conflict (conversation_id, service_id, starts_at) do update
      set found_at = case when offered_slot.found_at < ${since} then excluded.found_at
        else offered_slot.found_at end`.execute(db.kysely)
}
