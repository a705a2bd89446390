import {
  CreateEndpoint,
  EditEndpoint,
  HealthQuery,
  type EndpointRoutes,
} from '../../contract/dashboard/endpoint.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { deleteEndpoint } from '../../modules/endpoints/delete-endpoint.ts'
import { editEndpoint } from '../../modules/endpoints/edit-endpoint.ts'
import { showEndpointHealth } from '../../modules/endpoints/endpoint-health.ts'
import { registerEndpoint } from '../../modules/endpoints/register-endpoint.ts'
import { retireOldSecret, rotateSecret } from '../../modules/endpoints/rotate-secret.ts'
import { switchEndpointOff, switchEndpointOn } from '../../modules/endpoints/switch-endpoint.ts'
import { listEndpoints, showEndpoint } from '../../modules/endpoints/view-endpoint.ts'
import { admins } from './access.ts'
import { answer, answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const ENDPOINTS = '/companies/:companyId/endpoints'
const ENDPOINT = `${ENDPOINTS}/:endpointId` as const

export const endpointRoutes = routes<EndpointRoutes>()
  .get(ENDPOINTS, admins(), query(PageQuery), answer(listEndpoints))
  .post(ENDPOINTS, admins(), body(CreateEndpoint), answerAs(registerEndpoint, 201))
  .get(
    ENDPOINT,
    admins(),
    answer((context, owned) => showEndpoint(context.db.kysely, context, owned)),
  )
  .patch(ENDPOINT, admins(), body(EditEndpoint), answerAs(editEndpoint))
  .delete(ENDPOINT, admins(), answerAs(deleteEndpoint))
  .post(`${ENDPOINT}/switch-on`, admins(), answerAs(switchEndpointOn))
  .post(`${ENDPOINT}/switch-off`, admins(), answerAs(switchEndpointOff))
  .get(`${ENDPOINT}/health`, admins(), query(HealthQuery), answer(showEndpointHealth))
  .post(`${ENDPOINT}/secret/rotate`, admins(), answerAs(rotateSecret))
  .post(`${ENDPOINT}/secret/retire-old`, admins(), answerAs(retireOldSecret))
