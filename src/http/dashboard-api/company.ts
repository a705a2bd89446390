import { createProject } from '../../modules/accounts/create-project.ts'
import { listCompanies } from '../../modules/accounts/list-companies.ts'
import { editCompany } from '../../modules/accounts/edit-company.ts'
import { changeHours } from '../../modules/appointments/outside-hours.ts'
import { CreateProject, EditCompany, type CompanyRoutes } from '../../contract/dashboard/company.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { admins, signedIn } from './access.ts'
import { answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

export const companyRoutes = routes<CompanyRoutes>()
  .get('/companies', signedIn('owner', 'admin', 'agent'), query(PageQuery), answerAs(listCompanies))
  .post('/companies', signedIn('owner', 'admin'), body(CreateProject), answerAs(createProject, 201))
  .patch(
    '/companies/:companyId',
    admins(),
    body(EditCompany),
    answerAs((context, actor, edit) => editCompany(context, actor, edit, changeHours)),
  )
