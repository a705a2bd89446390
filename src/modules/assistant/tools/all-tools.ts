import type { CallDeps } from '../../connections/make-call.ts'
import { createActionTool } from './actions.ts'
import { bookAppointmentTool } from './book-appointment.ts'
import { cancelAppointmentTool } from './cancel-appointment.ts'
import { findSlotsTool } from './find-slots.ts'
import { handOverTool } from './hand-over.ts'
import { recordLeadTool } from './record-lead.ts'
import { SEARCH_KNOWLEDGE } from './search-knowledge.ts'
import { setCustomerTool } from './set-customer.ts'
import type { Tool } from './tool.ts'

/** Creates all tools of the assistant, in the order in which a model is offered them. */
export function createTools(deps: Pick<CallDeps, 'keyRing' | 'outbound'>): Tool[] {
  return [
    SEARCH_KNOWLEDGE,
    handOverTool,
    recordLeadTool,
    setCustomerTool,
    findSlotsTool,
    bookAppointmentTool,
    cancelAppointmentTool,
    createActionTool(deps),
  ]
}
