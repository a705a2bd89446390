import { ReadPhone, type PhoneRoutes } from '../../contract/dashboard/phone.ts'
import { readCompanyCountry, readWrittenPhone } from '../../modules/messaging/read-written-phone.ts'
import { everybody } from './access.ts'
import { body } from './read-input.ts'
import { routes } from './routes.ts'

export const phoneRoutes = routes<PhoneRoutes>()
  .get('/companies/:companyId/phone-country', everybody(), async (c) => {
    const { context, companyId } = c.var
    return c.json({ country: await readCompanyCountry(context.db.kysely, companyId) })
  })
  .post('/companies/:companyId/phone-readings', everybody(), body(ReadPhone), (c) => {
    const { phone, country } = c.req.valid('json')
    return c.json({ phone: readWrittenPhone(phone, country ?? null).phone })
  })
