import type { CallDeps } from '../../connections/make-call.ts'
import { createActionTool } from './actions.ts'
import { bookAppointment } from './book-appointment.ts'
import { cancelAppointment } from './cancel-appointment.ts'
import { findSlots } from './find-slots.ts'
import { handOver } from './hand-over.ts'
import { recordLead } from './record-lead.ts'
import { SEARCH_KNOWLEDGE } from './search-knowledge.ts'
import { setCustomer } from './set-customer.ts'
import type { Tool } from './tool.ts'

/** Creates all tools of the assistant, in the order in which a model is offered them. */
export function createTools(deps: Pick<CallDeps, 'keyRing' | 'outbound'>): Tool[] {
  return [
    SEARCH_KNOWLEDGE,
    handOver,
    recordLead,
    setCustomer,
    findSlots,
    bookAppointment,
    cancelAppointment,
    createActionTool(deps),
  ]
}
