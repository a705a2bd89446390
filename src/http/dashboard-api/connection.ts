import { readConnectionFigures } from '../../modules/connections/connection-stats.ts'
import { createConnection } from '../../modules/connections/create-connection.ts'
import { deleteConnection } from '../../modules/connections/delete-connection.ts'
import { editConnection } from '../../modules/connections/edit-connection.ts'
import { listConnectionUsers } from '../../modules/connections/list-connection-users.ts'
import { switchConnection } from '../../modules/connections/switch-connection.ts'
import { testConnection } from '../../modules/connections/test-connection.ts'
import { listConnections, showConnection } from '../../modules/connections/view-connection.ts'
import {
  CreateConnection,
  EditConnection,
  TestConnection,
  type ConnectionRoutes,
} from '../../contract/dashboard/connection.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { admins } from './access.ts'
import { answer, answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const CONNECTIONS = '/companies/:companyId/connections'
const CONNECTION = `${CONNECTIONS}/:connectionId` as const

export const connectionRoutes = routes<ConnectionRoutes>()
  .get(CONNECTIONS, admins(), query(PageQuery), answer(listConnections))
  .post(CONNECTIONS, admins(), body(CreateConnection), answerAs(createConnection, 201))
  .get('/companies/:companyId/connection-users', admins(), answer(listConnectionUsers))
  .get('/companies/:companyId/connection-figures', admins(), answer(readConnectionFigures))
  .get(CONNECTION, admins(), answer(showConnection))
  .patch(CONNECTION, admins(), body(EditConnection), answerAs(editConnection))
  .delete(CONNECTION, admins(), answerAs(deleteConnection))
  .post(
    `${CONNECTION}/switch-on`,
    admins(),
    answerAs((context, actor, owned) => switchConnection(context, actor, { ...owned, isOn: true })),
  )
  .post(
    `${CONNECTION}/switch-off`,
    admins(),
    answerAs((context, actor, owned) =>
      switchConnection(context, actor, { ...owned, isOn: false }),
    ),
  )
  .post(`${CONNECTION}/test`, admins(), body(TestConnection), answerAs(testConnection))
