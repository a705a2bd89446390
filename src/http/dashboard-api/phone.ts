import { ReadPhone, type PhoneRoutes } from '../../contract/dashboard/phone.ts'
import { readCompanyCountry, readWrittenPhone } from '../../modules/messaging/read-written-phone.ts'
import { members } from './access.ts'
import { body } from './read-input.ts'
import { routes } from './routes.ts'

export const phoneRoutes = routes<PhoneRoutes>()
  .get('/companies/:companyId/phone-country', members(), async (c) => {
    const { context, companyId } = c.var
    return c.json({ country: await readCompanyCountry(context.db.kysely, companyId) })
  })
  .post('/companies/:companyId/phone-readings', members(), body(ReadPhone), (c) => {
    const { phone, country } = c.req.valid('json')
    return c.json({ phone: readWrittenPhone(phone, country ?? null).phone })
  })
