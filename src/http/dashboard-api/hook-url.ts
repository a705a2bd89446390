import {
  CreateHookUrl,
  TryPath,
  TryPhone,
  type HookUrlRoutes,
} from '../../contract/dashboard/hook-url.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { createHookUrl } from '../../modules/hooks/create-hook-url.ts'
import { deleteHookUrl } from '../../modules/hooks/delete-hook-url.ts'
import { replaceHookUrl } from '../../modules/hooks/replace-hook-url.ts'
import { tryPath, tryPhone } from '../../modules/hooks/try-reading.ts'
import { listHookUrls, readShape, showHookUrl } from '../../modules/hooks/view-hook-url.ts'
import { admins } from './access.ts'
import { answer, answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const HOOK_URLS = '/companies/:companyId/hook-urls'
const HOOK_URL = `${HOOK_URLS}/:hookUrlId` as const
const TESTERS = '/companies/:companyId/testers'

export const hookUrlRoutes = routes<HookUrlRoutes>()
  .get(HOOK_URLS, admins(), query(PageQuery), answer(listHookUrls))
  .post(HOOK_URLS, admins(), body(CreateHookUrl), answerAs(createHookUrl, 201))
  .get(
    HOOK_URL,
    admins(),
    answer((context, owned) => showHookUrl(context.db.kysely, owned)),
  )
  .delete(HOOK_URL, admins(), answerAs(deleteHookUrl))
  .post(`${HOOK_URL}/replace`, admins(), answerAs(replaceHookUrl))
  .get(
    `${HOOK_URL}/shape`,
    admins(),
    answer(async (context, owned) => ({ shape: await readShape(context, owned) })),
  )
  .post(`${TESTERS}/path`, admins(), body(TryPath), answer(tryPath))
  .post(`${TESTERS}/phone`, admins(), body(TryPhone), answer(tryPhone))
