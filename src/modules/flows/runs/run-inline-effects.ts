/**
 * What steps have done within their turns, for all runs of a batch together: free times, bookings and
 * cancellations. Unlike an act, the run's way depends on what comes of it. Spec: Flows › Booking.
 */
import { sql, type Transaction } from 'kysely'
import { bookAppointments } from '../../appointments/book-appointment.ts'
import type { BookingOutcome } from '../../appointments/booking.ts'
import { cancelAppointments } from '../../appointments/cancel-appointment.ts'
import { onlyWanted } from '../../appointments/plan-bookings.ts'
import { readSlotFacts } from '../../appointments/slot-facts.sql.ts'
import type { DB } from '../../../infra/database/tables.ts'
import type { EventToRaise } from '../../events/raise-event.ts'
import type { Ids } from '../../../core/ids.ts'
import { FLOW_LIMITS } from '../../../core/limits/flows.ts'
import { DAY_MS } from '../../../core/limits/units.ts'
import { appointmentValues } from '../../../rules/appointments/appointment-values.ts'
import { offerDay, type DayOffer } from '../../../rules/appointments/offer-day.ts'
import type { Language } from '../../../core/vocabulary/hooks.ts'
import type { InlineEffect, InlineEffectOutcome } from '../../../flow-kinds/steps/run-state.ts'
import { afterInlineEffect } from './plan-advance.ts'
import type { RunPlan } from './planned-turn.ts'

export type InlineEffectDeps = { ids: Ids; now: Date; publicUrl(): string; held: EventToRaise[] }
type Going<Kind extends InlineEffect['kind']> = {
  plan: RunPlan
  errand: Extract<InlineEffect, { kind: Kind }>
}

/**
 * Does the errands of turns and takes each on with what came of its own, until none has one left. What they
 * raise is put into `held`, for whoever tells of the turns in order.
 *
 * Isolation: conversations and runs are locked by the caller; services, resources and appointments here.
 */
export async function runInlineEffects(
  tx: Transaction<DB>,
  deps: InlineEffectDeps,
  plans: readonly RunPlan[],
): Promise<void> {
  for (let going = plans.filter(hasErrand); going.length > 0; going = going.filter(hasErrand)) {
    // Appointments are locked before people and rooms, as by who moves one.
    const cancelled = await cancel(tx, deps, ofKind(going, 'cancel_appointment'))
    const outcomes = new Map([
      ...cancelled,
      ...(await findTimes(tx, deps.now, ofKind(going, 'find_times'))),
      ...(await book(tx, deps, ofKind(going, 'book'))),
    ])
    for (const plan of going) afterInlineEffect(plan, outcomes.get(plan)!, deps.now)
  }
}

const hasErrand = ({ errand }: RunPlan) => errand !== null

function ofKind<Kind extends InlineEffect['kind']>(
  plans: readonly RunPlan[],
  kind: Kind,
): Going<Kind>[] {
  return plans.flatMap((plan) => {
    const { errand } = plan.errand!
    return errand.kind === kind ? [{ plan, errand } as Going<Kind>] : []
  })
}

type Outcomes = [RunPlan, InlineEffectOutcome][]

async function findTimes(
  tx: Transaction<DB>,
  now: Date,
  going: readonly Going<'find_times'>[],
): Promise<Outcomes> {
  if (going.length === 0) return []
  const { timesOffered: most, timesLookDays: lookDays } = FLOW_LIMITS
  const starts = going.map(({ errand }) => Math.max(errand.from.getTime(), now.getTime()))
  const range = {
    from: new Date(Math.min(...starts)),
    to: new Date(Math.max(...starts) + lookDays * DAY_MS),
  }
  const asked = going.map(({ plan, errand: { serviceId } }) => {
    return { companyId: plan.hand.run.companyId, serviceId }
  })
  const known = await readSlotFacts(tx, asked, range, { isUnited: true })
  // Of many customers who are asked at once most look for the same.
  const offers = new Map<string, DayOffer | null>()
  return going.map(({ plan, errand }, place) => {
    const facts = known.get(errand.serviceId)
    const isOffered =
      facts?.service.companyId === plan.hand.run.companyId &&
      facts.service.isOn &&
      !facts.service.isDeleted
    if (!isOffered) return [plan, { kind: 'times', offer: null }]
    const key = `${errand.serviceId} ${errand.resourceId} ${starts[place]}`
    if (!offers.has(key)) {
      const resources = onlyWanted(facts.resources, errand.resourceId)
      const from = new Date(starts[place]!)
      offers.set(key, offerDay({ ...facts, resources, now }, from, { most, lookDays }))
    }
    const offer = offers.get(key)!
    return [plan, { kind: 'times', offer: offer && { ...offer, zone: facts.page.zone } }]
  })
}

async function book(
  tx: Transaction<DB>,
  deps: InlineEffectDeps,
  going: readonly Going<'book'>[],
): Promise<Outcomes> {
  const outcomes = await bookAppointments(
    tx,
    deps,
    going.map(({ plan: { hand, state, added }, errand }) => ({
      companyId: hand.run.companyId,
      source: 'flow' as const,
      serviceId: errand.serviceId,
      resourceId: errand.resourceId,
      startsAt: errand.startsAt,
      customer: {
        contactId: hand.contact?.id ?? null,
        conversationId: hand.conversation.id,
        name: null,
        phone: null,
        email: null,
      },
      language: languageOf(state.language, errand),
      // A step that is come to again books again.
      requestKey: `flow:${hand.run.id}:${hand.run.steps + added.length}`,
      runId: hand.run.id,
    })),
  )
  return going.map(({ plan, errand }, place) => {
    const language = languageOf(plan.state.language, errand)
    return [plan, tell(outcomes[place]!, language, deps.publicUrl())]
  })
}

/** Of the run; where nobody has told, of the offer that the customer took. */
function languageOf(ofRun: string | null, offer: { language: Language }): Language {
  if (ofRun === null) return offer.language
  return ofRun.startsWith('ar') ? 'ar' : 'en'
}

function tell(booked: BookingOutcome, language: Language, publicUrl: string): InlineEffectOutcome {
  if (booked.outcome !== 'booked') {
    const why = booked.outcome === 'too_many' ? 'too_many_appointments' : booked.outcome
    return { kind: 'not_booked', why }
  }
  const { appointment } = booked
  const link = `${publicUrl}/a/${appointment.token}`
  return { kind: 'booked', values: appointmentValues(appointment, link, language) }
}

async function cancel(
  tx: Transaction<DB>,
  deps: InlineEffectDeps,
  going: readonly Going<'cancel_appointment'>[],
): Promise<Outcomes> {
  if (going.length === 0) return []
  const found = await findComing(tx, deps.now, going)
  const known = going.flatMap(({ plan, errand }, place) => {
    const appointment = found.get(place)
    return appointment ? [{ plan, errand, appointment }] : []
  })
  const outcomes = await cancelAppointments(
    tx,
    deps,
    known.map(({ plan: { hand }, errand, appointment }) => ({
      companyId: hand.run.companyId,
      appointmentId: appointment.id,
      by: 'flow' as const,
      reason: errand.reason,
      actorId: hand.run.id,
    })),
  )
  const cancelled = new Map(
    known.flatMap(({ plan, appointment: { reference } }, place) =>
      outcomes[place] === 'cancelled' ? [[plan, reference] as const] : [],
    ),
  )
  return going.map(({ plan }) => {
    const reference = cancelled.get(plan)
    return [
      plan,
      reference === undefined ? { kind: 'not_cancelled' } : { kind: 'cancelled', reference },
    ]
  })
}

/** By place: the coming appointment of the customer that a run is about, or their next one. Never another's. */
async function findComing(
  tx: Transaction<DB>,
  now: Date,
  going: readonly Going<'cancel_appointment'>[],
): Promise<Map<number, { id: string; reference: string }>> {
  const runs = going.map(({ plan: { hand } }) => hand)
  const { rows } = await sql<{ place: number; id: string; reference: string }>`
    select asked.place::int as place, coming.id, coming.reference
    from unnest(${runs.map(({ run }) => run.companyId)}::uuid[],
        ${runs.map(({ contact }) => contact?.id ?? null)}::uuid[],
        ${runs.map(({ conversation }) => conversation.id)}::text[],
        ${going.map(({ errand }) => errand.reference)}::text[])
        with ordinality as asked (company_id, contact_id, conversation_id, reference, place)
      cross join lateral (
        select id, appointment.reference from appointment
        where appointment.company_id = asked.company_id and status = 'confirmed'
          and starts_at > ${now}
          and (appointment.contact_id = asked.contact_id
            or asked.contact_id is null and appointment.conversation_id = asked.conversation_id)
          and (asked.reference is null or appointment.reference = asked.reference)
        order by starts_at, id limit 1
      ) coming`.execute(tx)
  return new Map(rows.map(({ place, id, reference }) => [place - 1, { id, reference }]))
}
