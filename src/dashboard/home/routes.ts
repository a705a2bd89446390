import { page } from '../frame/routes.tsx'

export const homeRoutes = [page('/', () => import('./Home.tsx'), 'Home')] as const
