import { survivorOf } from '../../modules/contacts/survivor-of.ts'
import { CreateLead, EditLead, LeadQuery, LoseLead } from '../../contract/dashboard/lead.ts'
import type { LeadRoutes } from '../../contract/dashboard/routes/lead.ts'
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
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const LEADS = '/companies/:companyId/leads'
const LEAD = `${LEADS}/:leadId` as const

const everybody = () => inCompany('owner', 'admin', 'agent')

export const leadRoutes = routes<LeadRoutes>()
  .get(LEADS, everybody(), query(LeadQuery), async (c) => {
    const { context, companyId } = c.var
    const { contactId, ...filter } = c.req.valid('query')
    const contact = contactId && (await survivorOf(context.db.kysely, { companyId, contactId }))
    return c.json(await listLeads(context, { companyId, ...filter, ...contact }))
  })
  .post(LEADS, everybody(), body(CreateLead), async (c) => {
    const { context, actor, companyId } = c.var
    const { contactId, ...input } = c.req.valid('json')
    const contact = contactId && (await survivorOf(context.db.kysely, { companyId, contactId }))
    const { lead, isNew } = await createLead(context, actor, { companyId, ...input, ...contact })
    return c.json(lead, isNew ? 201 : 200)
  })
  .get(`${LEADS}/counts`, everybody(), async (c) =>
    c.json(await countLeads(c.var.context, c.var.companyId)),
  )
  .get(LEAD, everybody(), async (c) => c.json(await showLead(c.var.context.db.kysely, owned(c))))
  .patch(LEAD, everybody(), body(EditLead), async (c) => {
    const { context, actor } = c.var
    return c.json(await editLead(context, actor, { ...c.req.valid('json'), ...owned(c) }))
  })
  .post(`${LEAD}/qualify`, everybody(), async (c) =>
    c.json(await qualifyLead(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${LEAD}/win`, everybody(), async (c) =>
    c.json(await winLead(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${LEAD}/lose`, everybody(), body(LoseLead), async (c) => {
    const { context, actor } = c.var
    return c.json(await loseLead(context, actor, { ...c.req.valid('json'), ...owned(c) }))
  })
  .post(`${LEAD}/reopen`, everybody(), async (c) =>
    c.json(await reopenLead(c.var.context, c.var.actor, owned(c))),
  )

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'leadId'): string | undefined }
}) {
  return { companyId: c.var.companyId, leadId: readId(c.req.param('leadId')) }
}
