import {
  CreateModel,
  EditModel,
  OrderModels,
  SetModelAllowance,
} from '../../contract/dashboard/model.ts'
import type { ModelRoutes } from '../../contract/dashboard/routes/model.ts'
import {
  deleteModel,
  orderModels,
  setModelAllowance,
  switchModel,
} from '../../modules/models/change-models.ts'
import { createModel } from '../../modules/models/create-model.ts'
import { editModel } from '../../modules/models/edit-model.ts'
import { testModel } from '../../modules/models/test-model.ts'
import { listModels, readModelUsage } from '../../modules/models/view-models.ts'
import { signedIn } from './access.ts'
import { body, readId } from './read-input.ts'
import { routes } from './routes.ts'

export const modelRoutes = routes<ModelRoutes>()
  .get('/models', signedIn('owner', 'admin'), async (c) =>
    c.json(await listModels(c.var.context, c.var.actor)),
  )
  .post('/models', signedIn('owner', 'admin'), body(CreateModel), async (c) =>
    c.json(await createModel(c.var.context, c.var.actor, c.req.valid('json')), 201),
  )
  .get('/models/usage', signedIn('owner', 'admin'), async (c) =>
    c.json(await readModelUsage(c.var.context, c.var.actor)),
  )
  .put('/models/order', signedIn('owner', 'admin'), body(OrderModels), async (c) => {
    await orderModels(c.var.context, c.var.actor, c.req.valid('json'))
    return c.json(await listModels(c.var.context, c.var.actor))
  })
  .put('/models/allowance', signedIn('owner'), body(SetModelAllowance), async (c) => {
    await setModelAllowance(c.var.context, c.var.actor, c.req.valid('json'))
    return c.json(await listModels(c.var.context, c.var.actor))
  })
  .patch('/models/:modelId', signedIn('owner', 'admin'), body(EditModel), async (c) => {
    const { context, actor } = c.var
    const input = c.req.valid('json')
    return c.json(await editModel(context, actor, { modelId: idOf(c), ...input }))
  })
  .delete('/models/:modelId', signedIn('owner', 'admin'), async (c) => {
    await deleteModel(c.var.context, c.var.actor, { modelId: idOf(c) })
    return c.body(null, 204)
  })
  .post('/models/:modelId/switch-on', signedIn('owner', 'admin'), async (c) =>
    c.json(await switchModel(c.var.context, c.var.actor, { modelId: idOf(c), isOn: true })),
  )
  .post('/models/:modelId/switch-off', signedIn('owner', 'admin'), async (c) =>
    c.json(await switchModel(c.var.context, c.var.actor, { modelId: idOf(c), isOn: false })),
  )
  .post('/models/:modelId/test', signedIn('owner', 'admin'), async (c) =>
    c.json(await testModel(c.var.context, c.var.actor, { modelId: idOf(c) })),
  )

function idOf(c: { req: { param(name: 'modelId'): string | undefined } }): string {
  return readId(c.req.param('modelId'))
}
