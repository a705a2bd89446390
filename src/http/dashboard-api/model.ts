import {
  CreateModel,
  EditModel,
  OrderModels,
  SetModelAllowance,
  type ModelRoutes,
} from '../../contract/dashboard/model.ts'
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
import { answerAs } from './answer.ts'
import { body } from './read-input.ts'
import { routes } from './routes.ts'

export const modelRoutes = routes<ModelRoutes>()
  .get('/models', signedIn('owner', 'admin'), answerAs(listModels))
  .post('/models', signedIn('owner', 'admin'), body(CreateModel), answerAs(createModel, 201))
  .get('/models/usage', signedIn('owner', 'admin'), answerAs(readModelUsage))
  .put(
    '/models/order',
    signedIn('owner', 'admin'),
    body(OrderModels),
    answerAs(async (context, actor, input) => {
      await orderModels(context, actor, input)
      return listModels(context, actor)
    }),
  )
  .put(
    '/models/allowance',
    signedIn('owner'),
    body(SetModelAllowance),
    answerAs(async (context, actor, input) => {
      await setModelAllowance(context, actor, input)
      return listModels(context, actor)
    }),
  )
  .patch('/models/:modelId', signedIn('owner', 'admin'), body(EditModel), answerAs(editModel))
  .delete('/models/:modelId', signedIn('owner', 'admin'), answerAs(deleteModel))
  .post(
    '/models/:modelId/switch-on',
    signedIn('owner', 'admin'),
    answerAs((context, actor, owned) => switchModel(context, actor, { ...owned, isOn: true })),
  )
  .post(
    '/models/:modelId/switch-off',
    signedIn('owner', 'admin'),
    answerAs((context, actor, owned) => switchModel(context, actor, { ...owned, isOn: false })),
  )
  .post('/models/:modelId/test', signedIn('owner', 'admin'), answerAs(testModel))
