import { createAction } from '../../modules/connections/create-action.ts'
import { deleteAction } from '../../modules/connections/delete-action.ts'
import { editAction } from '../../modules/connections/edit-action.ts'
import { testAction } from '../../modules/connections/test-action.ts'
import { listActions, showAction } from '../../modules/connections/view-action.ts'
import {
  CreateAction,
  EditAction,
  TestAction,
  type ActionRoutes,
} from '../../contract/dashboard/action.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { admins } from './access.ts'
import { answer, answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const ACTIONS = '/companies/:companyId/actions'
const ACTION = `${ACTIONS}/:actionId` as const

export const actionRoutes = routes<ActionRoutes>()
  .get(ACTIONS, admins(), query(PageQuery), answer(listActions))
  .post(ACTIONS, admins(), body(CreateAction), answerAs(createAction, 201))
  .get(
    ACTION,
    admins(),
    answer((context, owned) => showAction(context.db.kysely, owned)),
  )
  .patch(ACTION, admins(), body(EditAction), answerAs(editAction))
  .delete(ACTION, admins(), answerAs(deleteAction))
  .post(`${ACTION}/test`, admins(), body(TestAction), answerAs(testAction))
