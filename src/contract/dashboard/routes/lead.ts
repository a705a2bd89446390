import type { CreateLead, EditLead, LeadCounts, LeadQuery, LeadView, LoseLead } from '../lead.ts'
import type { Page } from '../page.ts'
import type { Route } from './route.ts'

export interface LeadRoutes {
  '/companies/:companyId/leads': {
    get: Route<Page<LeadView>, { query: typeof LeadQuery }>
    post: Route<LeadView, { json: typeof CreateLead }>
  }
  '/companies/:companyId/leads/counts': { get: Route<LeadCounts> }
  '/companies/:companyId/leads/:leadId': {
    get: Route<LeadView>
    patch: Route<LeadView, { json: typeof EditLead }>
  }
  '/companies/:companyId/leads/:leadId/qualify': { post: Route<LeadView> }
  '/companies/:companyId/leads/:leadId/win': { post: Route<LeadView> }
  '/companies/:companyId/leads/:leadId/lose': { post: Route<LeadView, { json: typeof LoseLead }> }
  '/companies/:companyId/leads/:leadId/reopen': { post: Route<LeadView> }
}
