import { exportAudit } from '../../modules/accounts/export-audit.ts'
import { listAudit, listAuditWords } from '../../modules/accounts/list-audit.ts'
import { loadAccount } from '../../modules/accounts/load-account.ts'
import { setSecondFactorRequired } from '../../modules/accounts/set-second-factor-required.ts'
import { renameAccount } from '../../modules/accounts/rename-account.ts'
import {
  AuditFilter,
  AuditQuery,
  RequireSecondFactor,
  RenameAccount,
  type AccountRoutes,
} from '../../contract/dashboard/account.ts'
import { ROLES } from '../../core/vocabulary/accounts.ts'
import { signedIn } from './access.ts'
import { answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'
import { streamCsv } from './stream-file.ts'

export const accountRoutes = routes<AccountRoutes>()
  .get('/account', signedIn(...ROLES), async (c) =>
    c.json(await loadAccount(c.var.context.db.kysely, c.var.actor)),
  )
  .patch('/account', signedIn('owner'), body(RenameAccount), answerAs(renameAccount))
  .put(
    '/account/second-factor',
    signedIn('owner'),
    body(RequireSecondFactor),
    answerAs(setSecondFactorRequired),
  )
  .get('/audit', signedIn('owner', 'admin'), query(AuditQuery), answerAs(listAudit))
  .get('/audit/words', signedIn('owner', 'admin'), answerAs(listAuditWords))
  .post('/audit/exports', signedIn('owner', 'admin'), body(AuditFilter), async (c) => {
    const { context, actor } = c.var
    return streamCsv(c, 'audit.csv', await exportAudit(context, actor, c.req.valid('json')))
  })
