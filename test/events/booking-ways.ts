/** Events that bookings and the assistant raise. */
import { cancelAppointment } from '../../src/modules/appointments/cancel-appointment.ts'
import type { AppointmentDetail } from '../../src/contract/dashboard/appointment.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { tomorrowOf } from '../support/bookable.ts'
import { call, say } from '../support/model-turns.ts'
import type { EventShop, Way } from './event-shop.ts'

export function bookingWays({
  assisted,
  world,
  shop,
  ai,
  ask,
  book,
  askForTime,
}: EventShop): Way[] {
  let appointment: { id: string }
  let asked: Awaited<ReturnType<typeof askForTime>>
  let aiCustomer: Awaited<ReturnType<typeof ai.asked>>
  const { companyId } = shop
  const ofAi = () => ai.companyId
  const meetAi = async (text: string, ...turns: Parameters<typeof ai.asked>[1][]) => {
    aiCustomer = await ai.asked(text, ...(turns.length > 0 ? turns : [say('Hello')]))
  }

  return [
    {
      way: 'a customer books on the page',
      by: [
        'modules/appointments/booking-contacts.ts createContacts',
        'modules/appointments/book-appointment.ts bookAppointments',
        'modules/appointments/book-appointment.ts raiseOrDefer',
        'modules/appointments/appointment.ts raiseEvents',
      ],
      raises: ['contact.created', 'appointment.booked'],
      does: async () => (appointment = await book()),
    },
    {
      way: 'the customer cancels on the page',
      by: [
        'modules/appointments/cancel-appointment.ts cancelAppointments',
        'modules/appointments/cancel-appointment.ts raiseOrDefer',
      ],
      raises: ['appointment.cancelled'],
      does: () =>
        cancelAppointment(world.service.context, {
          companyId,
          appointmentId: appointment.id,
          by: 'link',
          reason: null,
          actorId: null,
        }),
    },
    {
      way: 'a member cancels an appointment',
      by: ['modules/appointments/end-appointment.ts cancelAppointments'],
      raises: ['appointment.cancelled'],
      given: async () => (appointment = await book()),
      does: () => ask<AppointmentDetail>('POST', `/appointments/${appointment.id}/cancel`, {}),
    },
    {
      way: 'a flow books',
      by: ['modules/flows/runs/run-inline-effects.ts bookAppointments'],
      raises: ['message.received', 'appointment.booked', 'contact.updated', 'flow.completed'],
      given: async () => (asked = await askForTime()),
      does: () => asked.tap(asked.labels()[0]!),
      of: () => asked.shop.companyId,
    },
    {
      way: 'a flow cancels',
      by: ['modules/flows/runs/run-inline-effects.ts cancelAppointments'],
      raises: ['message.received', 'appointment.cancelled', 'flow.completed'],
      given: async () => {
        asked = await askForTime({ first: 'cancel' })
        await asked.bookFor(3)
      },
      does: () => asked.say('book'),
      of: () => asked.shop.companyId,
    },
    {
      way: 'the assistant stores the language of the customer',
      by: ['modules/assistant/tools/set-customer.ts editContacts'],
      raises: ['message.received', 'contact.updated'],
      given: () => meetAi('hello'),
      does: () =>
        aiCustomer.asks(
          'Write to me in Arabic',
          call('set_customer', { language: 'ar' }),
          say('Hello'),
        ),
      of: ofAi,
    },
    {
      way: 'the assistant hands over a lead that it qualifies',
      by: ['modules/assistant/hand-over-reply.ts transitionConversations'],
      raises: ['message.received', 'lead.qualified', 'conversation.handover'],
      does: () => aiCustomer.asks('I take them all', call('record_lead', { score: 90 }, 'Fine.')),
      of: ofAi,
    },
    {
      way: 'the assistant books',
      by: ['modules/assistant/tools/book-appointment.ts bookAppointments'],
      raises: ['message.received', 'appointment.booked'],
      given: async () => {
        const slots = call('find_slots', { service: 'Haircut', day: tomorrowOf(world) })
        await meetAi('Can I come tomorrow?', slots, say('We have 16:00 tomorrow.'))
      },
      does: async () => {
        const starts = `${tomorrowOf(world)}T16:00`
        const books = call('book_appointment', { service: 'Haircut', starts })
        await aiCustomer.asks('16:00 please', books, say('See you then!'))
      },
      of: ofAi,
    },
    {
      way: 'the customer agrees to a cancellation that the assistant proposes',
      by: ['modules/connections/confirm-proposal.ts cancelAppointments'],
      raises: ['message.received', 'appointment.cancelled'],
      given: async () => {
        await aiCustomer.asks(
          'Cancel my appointment',
          call('cancel_appointment'),
          say('Of course.'),
        )
        await assisted.pass(SECOND_MS)
      },
      does: async () => {
        assisted.model.script(say('It is cancelled.'))
        await aiCustomer.taps(0)
      },
      of: ofAi,
    },
  ]
}
