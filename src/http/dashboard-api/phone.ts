import { ReadPhone } from '../../contract/dashboard/phone.ts'
import type { PhoneRoutes } from '../../contract/dashboard/routes/phone.ts'
import { readCompanyCountry, readWrittenPhone } from '../../modules/messaging/read-written-phone.ts'
import { inCompany } from './access.ts'
import { body } from './read-input.ts'
import { routes } from './routes.ts'

export const phoneRoutes = routes<PhoneRoutes>()
  .get('/companies/:companyId/phone-country', inCompany('owner', 'admin', 'agent'), async (c) => {
    const { context, companyId } = c.var
    return c.json({ country: await readCompanyCountry(context.db.kysely, companyId) })
  })
  .post(
    '/companies/:companyId/phone-readings',
    inCompany('owner', 'admin', 'agent'),
    body(ReadPhone),
    (c) => {
      const { phone, country } = c.req.valid('json')
      return c.json({ phone: readWrittenPhone(phone, country ?? null).phone })
    },
  )
