import { page } from '../../frame/routes.tsx'

export const modelsRoutes = [
  page('assistant/models', () => import('./Models.tsx'), 'Models'),
  page('assistant/models/new', () => import('./NewModel.tsx'), 'NewModel'),
  page('assistant/models/$model', () => import('./Model.tsx'), 'Model'),
] as const
