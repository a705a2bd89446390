import { page } from '../app/routes.tsx'

export const homeRoutes = [page('/', () => import('./Home.tsx'), 'Home')] as const
