/**
 * Runs inline effects (slot search, booking, cancellation) for a batch of runs. Unlike a mutation, the result of an
 * inline effect decides which exit the run takes. Spec: Flows › Booking.
 */
import { sql, type Transaction } from 'kysely'
import { bookAppointments } from '../../appointments/book-appointment.ts'
import type { BookingOutcome } from '../../appointments/booking.ts'
import { cancelAppointments } from '../../appointments/cancel-appointment.ts'
import { filterByWanted } from '../../appointments/plan-bookings.ts'
import { loadSlotInputs } from '../../appointments/slot-inputs.sql.ts'
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
import type { RunPlan } from './run-plan.ts'

/** The dependencies of inline effects; events that they raise are added to `held`. */
export type InlineEffectDeps = { ids: Ids; now: Date; publicUrl(): string; held: EventToRaise[] }

type Pending<Kind extends InlineEffect['kind']> = {
  plan: RunPlan
  effect: Extract<InlineEffect, { kind: Kind }>
}

/**
 * Runs the inline effects of plans and proceeds with their results until none is left. Events are added to `held`, so
 * that the caller raises them in order.
 *
 * Isolation: the caller has locked conversations and runs; this locks services, resources and appointments.
 */
export async function runInlineEffects(
  tx: Transaction<DB>,
  deps: InlineEffectDeps,
  plans: readonly RunPlan[],
): Promise<void> {
  for (
    let pending = plans.filter(hasEffect);
    pending.length > 0;
    pending = pending.filter(hasEffect)
  ) {
    // Appointments are locked before resources, as when a member moves one.
    const cancelled = await cancel(tx, deps, ofKind(pending, 'cancel_appointment'))
    const outcomes = new Map([
      ...cancelled,
      ...(await findTimes(tx, deps.now, ofKind(pending, 'find_times'))),
      ...(await book(tx, deps, ofKind(pending, 'book'))),
    ])
    for (const plan of pending) afterInlineEffect(plan, outcomes.get(plan)!, deps.now)
  }
}

const hasEffect = ({ effect }: RunPlan) => effect !== null

function ofKind<Kind extends InlineEffect['kind']>(
  plans: readonly RunPlan[],
  kind: Kind,
): Pending<Kind>[] {
  return plans.flatMap((plan) => {
    const { effect } = plan.effect!
    return effect.kind === kind ? [{ plan, effect } as Pending<Kind>] : []
  })
}

type Outcomes = [RunPlan, InlineEffectOutcome][]

async function findTimes(
  tx: Transaction<DB>,
  now: Date,
  pending: readonly Pending<'find_times'>[],
): Promise<Outcomes> {
  if (pending.length === 0) return []
  const { timesOffered: limit, timesLookDays: lookDays } = FLOW_LIMITS
  const starts = pending.map(({ effect }) => Math.max(effect.from.getTime(), now.getTime()))
  const range = {
    from: new Date(Math.min(...starts)),
    to: new Date(Math.max(...starts) + lookDays * DAY_MS),
  }
  const services = pending.map(({ plan, effect: { serviceId } }) => {
    return { companyId: plan.loaded.run.companyId, serviceId }
  })
  const known = await loadSlotInputs(tx, services, range, { isUnited: true })
  // Many concurrent customers usually search for the same service.
  const offers = new Map<string, DayOffer | null>()
  return pending.map(({ plan, effect }, index) => {
    const facts = known.get(effect.serviceId)
    const isOffered =
      facts?.service.companyId === plan.loaded.run.companyId &&
      facts.service.isOn &&
      !facts.service.isDeleted
    if (!isOffered) return [plan, { kind: 'times', offer: null }]
    const key = `${effect.serviceId} ${effect.resourceId} ${starts[index]}`
    if (!offers.has(key)) {
      const resources = filterByWanted(facts.resources, effect.resourceId)
      const from = new Date(starts[index]!)
      offers.set(key, offerDay({ ...facts, resources, now }, from, { max: limit, lookDays }))
    }
    const offer = offers.get(key)!
    return [plan, { kind: 'times', offer: offer && { ...offer, zone: facts.page.zone } }]
  })
}

async function book(
  tx: Transaction<DB>,
  deps: InlineEffectDeps,
  pending: readonly Pending<'book'>[],
): Promise<Outcomes> {
  const outcomes = await bookAppointments(
    tx,
    deps,
    pending.map(({ plan: { loaded, state, added }, effect }) => ({
      companyId: loaded.run.companyId,
      source: 'flow' as const,
      serviceId: effect.serviceId,
      resourceId: effect.resourceId,
      startsAt: effect.startsAt,
      customer: {
        contactId: loaded.contact?.id ?? null,
        conversationId: loaded.conversation.id,
        name: null,
        phone: null,
        email: null,
      },
      language: languageOf(state.language, effect),
      // A step that is reached again books again.
      requestKey: `flow:${loaded.run.id}:${loaded.run.steps + added.length}`,
      runId: loaded.run.id,
    })),
  )
  return pending.map(({ plan, effect }, index) => {
    const language = languageOf(plan.state.language, effect)
    return [plan, outcomeOf(outcomes[index]!, language, deps.publicUrl())]
  })
}

/** Returns the language of the run, or of the offer that the customer took. */
function languageOf(ofRun: string | null, offer: { language: Language }): Language {
  if (ofRun === null) return offer.language
  return ofRun.startsWith('ar') ? 'ar' : 'en'
}

function outcomeOf(
  booked: BookingOutcome,
  language: Language,
  publicUrl: string,
): InlineEffectOutcome {
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
  pending: readonly Pending<'cancel_appointment'>[],
): Promise<Outcomes> {
  if (pending.length === 0) return []
  const found = await findUpcoming(tx, deps.now, pending)
  const known = pending.flatMap(({ plan, effect }, index) => {
    const appointment = found.get(index)
    return appointment ? [{ plan, effect, appointment }] : []
  })
  const outcomes = await cancelAppointments(
    tx,
    deps,
    known.map(({ plan: { loaded }, effect, appointment }) => ({
      companyId: loaded.run.companyId,
      appointmentId: appointment.id,
      by: 'flow' as const,
      reason: effect.reason,
      actorId: loaded.run.id,
    })),
  )
  const cancelled = new Map(
    known.flatMap(({ plan, appointment: { reference } }, index) =>
      outcomes[index] === 'cancelled' ? [[plan, reference] as const] : [],
    ),
  )
  return pending.map(({ plan }) => {
    const reference = cancelled.get(plan)
    return [
      plan,
      reference === undefined ? { kind: 'not_cancelled' } : { kind: 'cancelled', reference },
    ]
  })
}

/** Returns by index the upcoming appointment that a run is about, or else the customer's next one. */
async function findUpcoming(
  tx: Transaction<DB>,
  now: Date,
  pending: readonly Pending<'cancel_appointment'>[],
): Promise<Map<number, { id: string; reference: string }>> {
  const runs = pending.map(({ plan: { loaded } }) => loaded)
  const { rows } = await sql<{ index: number; id: string; reference: string }>`
    select input.index::int as index, coming.id, coming.reference
    from unnest(${runs.map(({ run }) => run.companyId)}::uuid[],
        ${runs.map(({ contact }) => contact?.id ?? null)}::uuid[],
        ${runs.map(({ conversation }) => conversation.id)}::text[],
        ${pending.map(({ effect }) => effect.reference)}::text[])
        with ordinality as input (company_id, contact_id, conversation_id, reference, index)
      cross join lateral (
        select id, appointment.reference from appointment
        where appointment.company_id = input.company_id and status = 'confirmed'
          and starts_at > ${now}
          and (appointment.contact_id = input.contact_id
            or input.contact_id is null and appointment.conversation_id = input.conversation_id)
          and (input.reference is null or appointment.reference = input.reference)
        order by starts_at, id limit 1
      ) coming`.execute(tx)
  return new Map(rows.map(({ index, id, reference }) => [index - 1, { id, reference }]))
}
