import { resolveMergedContact } from '../../modules/contacts/resolve-merged-contact.ts'
import {
  CreateLead,
  EditLead,
  LeadQuery,
  LoseLead,
  type LeadRoutes,
} from '../../contract/dashboard/lead.ts'
import {
  editLead,
  loseLead,
  qualifyLead,
  reopenLead,
  winLead,
} from '../../modules/leads/change-lead.ts'
import { createLead } from '../../modules/leads/create-lead.ts'
import { countLeads, listLeads } from '../../modules/leads/list-leads.ts'
import { showLead } from '../../modules/leads/view-leads.ts'
import { members } from './access.ts'
import { answer, answerAs, ofSurvivor } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const LEADS = '/companies/:companyId/leads'
const LEAD = `${LEADS}/:leadId` as const

export const leadRoutes = routes<LeadRoutes>()
  .get(LEADS, members(), query(LeadQuery), answer(listLeads, 200, ofSurvivor))
  .post(LEADS, members(), body(CreateLead), async (c) => {
    const { context, actor, companyId } = c.var
    const { contactId, ...input } = c.req.valid('json')
    const contact =
      contactId && (await resolveMergedContact(context.db.kysely, { companyId, contactId }))
    const { lead, isNew } = await createLead(context, actor, { companyId, ...input, ...contact })
    return c.json(lead, isNew ? 201 : 200)
  })
  .get(
    `${LEADS}/counts`,
    members(),
    answer((context, { companyId }) => countLeads(context, companyId)),
  )
  .get(
    LEAD,
    members(),
    answer((context, owned) => showLead(context.db.kysely, owned)),
  )
  .patch(LEAD, members(), body(EditLead), answerAs(editLead))
  .post(`${LEAD}/qualify`, members(), answerAs(qualifyLead))
  .post(`${LEAD}/win`, members(), answerAs(winLead))
  .post(`${LEAD}/lose`, members(), body(LoseLead), answerAs(loseLead))
  .post(`${LEAD}/reopen`, members(), answerAs(reopenLead))
