import { editAssistant } from '../../modules/assistant/edit-assistant.ts'
import { giveFeedback } from '../../modules/assistant/give-feedback.ts'
import { listReplies } from '../../modules/assistant/list-replies.ts'
import { showTrace } from '../../modules/assistant/show-trace.ts'
import { runPlayground } from '../../modules/assistant/playground.ts'
import { showAssistant } from '../../modules/assistant/view-assistant.ts'
import { GiveFeedback, ReplyQuery } from '../../contract/dashboard/assistant-reply.ts'
import { TryAssistant } from '../../contract/dashboard/assistant-trial.ts'
import {
  EditAssistant,
  type AssistantView,
  type AssistantWithDefaults,
} from '../../contract/dashboard/assistant.ts'
import type { AssistantRoutes } from '../../contract/dashboard/routes/assistant.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { assistantWords } from '../../i18n/assistant-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import { admins, members } from './access.ts'
import { answer } from './answer.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const ASSISTANT = '/companies/:companyId/assistant'
const REPLY = `${ASSISTANT}/replies/:replyId` as const

export const assistantRoutes = routes<AssistantRoutes>()
  .get(ASSISTANT, members(), async (c) => {
    const { context, actor, companyId } = c.var
    const { accountId } = actor
    return c.json(withDefaults(await showAssistant(context, { companyId, accountId })))
  })
  .patch(ASSISTANT, admins(), body(EditAssistant), async (c) => {
    const { context, actor, companyId } = c.var
    const edited = await editAssistant(context, actor, { companyId, ...c.req.valid('json') })
    return c.json(withDefaults(edited))
  })
  .post(`${ASSISTANT}/try`, admins(), body(TryAssistant), async (c) => {
    const { context, companyId } = c.var
    const { signal } = c.req.raw
    return c.json(await runPlayground(context, { companyId, signal, ...c.req.valid('json') }))
  })
  .get(`${ASSISTANT}/replies`, members(), query(ReplyQuery), answer(listReplies))
  .get(REPLY, members(), answer(showTrace))
  .put(`${REPLY}/feedback`, members(), body(GiveFeedback), async (c) => {
    const { context, actor, companyId } = c.var
    const replyId = readId(c.req.param('replyId'))
    await giveFeedback(context, actor, { companyId, replyId, ...c.req.valid('json') })
    return c.json(await showTrace(context, { companyId, replyId }))
  })

/** Adds the default sentences, which are sent to customers where the company has not written any. */
function withDefaults(view: AssistantView): AssistantWithDefaults {
  const sentences = (language: Language) => ({
    inHours: sayIn(assistantWords, language)('handed_over'),
    outOfHours: sayIn(assistantWords, language)('handed_over_closed'),
  })
  return { ...view, ours: { ar: sentences('ar'), en: sentences('en') } }
}
