import { CreateHookUrl, TryPath, TryPhone } from '../../contract/dashboard/hook-url.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { HookUrlRoutes } from '../../contract/dashboard/routes/hook-url.ts'
import { createHookUrl } from '../../modules/hooks/create-hook-url.ts'
import { deleteHookUrl } from '../../modules/hooks/delete-hook-url.ts'
import { replaceHookUrl } from '../../modules/hooks/replace-hook-url.ts'
import { tryPath, tryPhone } from '../../modules/hooks/try-reading.ts'
import { listHookUrls, readShape, showHookUrl } from '../../modules/hooks/view-hook-url.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const HOOK_URLS = '/companies/:companyId/hook-urls'
const HOOK_URL = `${HOOK_URLS}/:hookUrlId` as const
const TESTERS = '/companies/:companyId/testers'

export const hookUrlRoutes = routes<HookUrlRoutes>()
  .get(HOOK_URLS, inCompany('owner', 'admin'), query(PageQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listHookUrls(context, { companyId, ...c.req.valid('query') }))
  })
  .post(HOOK_URLS, inCompany('owner', 'admin'), body(CreateHookUrl), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await createHookUrl(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .get(HOOK_URL, inCompany('owner', 'admin'), async (c) =>
    c.json(await showHookUrl(c.var.context.db.kysely, owned(c))),
  )
  .delete(HOOK_URL, inCompany('owner', 'admin'), async (c) => {
    await deleteHookUrl(c.var.context, c.var.actor, owned(c))
    return c.body(null, 204)
  })
  .post(`${HOOK_URL}/replace`, inCompany('owner', 'admin'), async (c) =>
    c.json(await replaceHookUrl(c.var.context, c.var.actor, owned(c))),
  )
  .get(`${HOOK_URL}/shape`, inCompany('owner', 'admin'), async (c) =>
    c.json({ shape: await readShape(c.var.context, owned(c)) }),
  )
  .post(`${TESTERS}/path`, inCompany('owner', 'admin'), body(TryPath), (c) =>
    c.json(tryPath(c.var.context, c.req.valid('json'))),
  )
  .post(`${TESTERS}/phone`, inCompany('owner', 'admin'), body(TryPhone), (c) =>
    c.json(tryPhone(c.var.context, c.req.valid('json'))),
  )

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'hookUrlId'): string | undefined }
}) {
  return { companyId: c.var.companyId, hookUrlId: readId(c.req.param('hookUrlId')) }
}
