import type {
  CreateModel,
  EditModel,
  ModelUsage,
  ModelView,
  ModelsView,
  OrderModels,
  SetModelAllowance,
  TestedModel,
} from '../model.ts'
import type { Route } from './route.ts'

export interface ModelRoutes {
  '/models': {
    get: Route<ModelsView>
    post: Route<ModelView, { json: typeof CreateModel }>
  }
  '/models/usage': { get: Route<ModelUsage> }
  '/models/order': { put: Route<ModelsView, { json: typeof OrderModels }> }
  '/models/allowance': { put: Route<ModelsView, { json: typeof SetModelAllowance }> }
  '/models/:modelId': {
    patch: Route<ModelView, { json: typeof EditModel }>
    delete: Route<null>
  }
  '/models/:modelId/switch-on': { post: Route<ModelView> }
  '/models/:modelId/switch-off': { post: Route<ModelView> }
  '/models/:modelId/test': { post: Route<TestedModel> }
}
