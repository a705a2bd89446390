/** The person's own settings, and their second factor. */
import { editPerson, showPerson } from '../../modules/accounts/person.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  switchOffSecondFactor,
  viewSecondFactor,
} from '../../modules/accounts/second-factor.ts'
import { EditMe, type MeRoutes } from '../../contract/dashboard/me.ts'
import { SecondFactorCode } from '../../contract/dashboard/second-factor.ts'
import { ROLES } from '../../core/vocabulary/accounts.ts'
import { signedInWithoutSecondFactor } from './access.ts'
import { body } from './read-input.ts'
import { routes } from './routes.ts'

const FACTOR = '/me/second-factor'

export const meRoutes = routes<MeRoutes>()
  .get('/me', signedInWithoutSecondFactor(...ROLES), async (c) =>
    c.json(await showPerson(c.var.context.db.kysely, c.var.actor)),
  )
  .patch('/me', signedInWithoutSecondFactor(...ROLES), body(EditMe), async (c) => {
    const { context, actor, session } = c.var
    const change = c.req.valid('json')
    const view = await editPerson(context, actor, change)
    if (session.isDemonstration && change.language) {
      await context.demonstrationLink.setLanguage(change.language)
    }
    return c.json(view)
  })
  .get(FACTOR, signedInWithoutSecondFactor(...ROLES), async (c) =>
    c.json(await viewSecondFactor(c.var.context, c.var.session)),
  )
  .post(`${FACTOR}/begin`, signedInWithoutSecondFactor(...ROLES), async (c) =>
    c.json(await beginSecondFactor(c.var.context, c.var.session), 201),
  )
  .post(
    `${FACTOR}/confirm`,
    signedInWithoutSecondFactor(...ROLES),
    body(SecondFactorCode),
    async (c) =>
      c.json(await confirmSecondFactor(c.var.context, c.var.session, c.req.valid('json'))),
  )
  .post(
    `${FACTOR}/switch-off`,
    signedInWithoutSecondFactor(...ROLES),
    body(SecondFactorCode),
    async (c) => {
      await switchOffSecondFactor(c.var.context, c.var.session, c.req.valid('json'))
      return c.body(null, 204)
    },
  )
  .post(
    `${FACTOR}/recovery-codes`,
    signedInWithoutSecondFactor(...ROLES),
    body(SecondFactorCode),
    async (c) =>
      c.json(await renewRecoveryCodes(c.var.context, c.var.session, c.req.valid('json'))),
  )
