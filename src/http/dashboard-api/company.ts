import { createProject } from '../../modules/accounts/create-project.ts'
import { listCompanies } from '../../modules/accounts/list-companies.ts'
import { editCompany } from '../../modules/accounts/edit-company.ts'
import { changeHours } from '../../modules/appointments/outside-hours.ts'
import { CreateProject, EditCompany } from '../../contract/dashboard/company.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { CompanyRoutes } from '../../contract/dashboard/routes/company.ts'
import { inCompany, signedIn } from './access.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

export const companyRoutes = routes<CompanyRoutes>()
  .get('/companies', signedIn('owner', 'admin', 'agent'), query(PageQuery), async (c) =>
    c.json(await listCompanies(c.var.context, c.var.actor, c.req.valid('query'))),
  )
  .post('/companies', signedIn('owner', 'admin'), body(CreateProject), async (c) =>
    c.json(await createProject(c.var.context, c.var.actor, c.req.valid('json')), 201),
  )
  .patch('/companies/:companyId', inCompany('owner', 'admin'), body(EditCompany), async (c) => {
    const { context, actor, companyId } = c.var
    const edit = { companyId, ...c.req.valid('json') }
    return c.json(await editCompany(context, actor, edit, changeHours))
  })
