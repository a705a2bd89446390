import { listAudit } from '../../accounts/list-audit.ts'
import { loadAccount } from '../../accounts/load-account.ts'
import { renameAccount } from '../../accounts/rename-account.ts'
import { AuditQuery, RenameAccount } from '../../contract/dashboard/account.ts'
import { ROLES } from '../../vocabulary/accounts.ts'
import { signedIn } from './access.ts'
import { routes } from './env.ts'
import { body, query } from './read-input.ts'

export const accountRoutes = routes()
  .get('/account', signedIn(...ROLES), async (c) =>
    c.json(await loadAccount(c.var.context.db.kysely, c.var.actor)),
  )
  .patch('/account', signedIn('owner'), body(RenameAccount), async (c) =>
    c.json(await renameAccount(c.var.context, c.var.actor, c.req.valid('json'))),
  )
  .get('/audit', signedIn('owner', 'admin'), query(AuditQuery), async (c) =>
    c.json(await listAudit(c.var.context, c.var.actor, c.req.valid('query'))),
  )
