import { editAssistant } from '../../assistant/edit-assistant.ts'
import { showAssistant } from '../../assistant/view-assistant.ts'
import { EditAssistant } from '../../contract/dashboard/assistant.ts'
import { inCompany } from './access.ts'
import { routes } from './env.ts'
import { body } from './read-input.ts'

const ASSISTANT = '/companies/:companyId/assistant'

export const assistantRoutes = routes()
  .get(ASSISTANT, inCompany('owner', 'admin', 'agent'), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await showAssistant(context, { companyId, accountId: actor.accountId }))
  })
  .patch(ASSISTANT, inCompany('owner', 'admin'), body(EditAssistant), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await editAssistant(context, actor, { companyId, ...c.req.valid('json') }))
  })
