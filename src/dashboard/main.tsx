import { hc } from 'hono/client'
import { createRoot } from 'react-dom/client'
import type { DashboardApi } from '../http/dashboard-api/client-type.ts'

export const { api } = hc<DashboardApi>('/')

createRoot(document.querySelector('#root')!).render(<main>Wasla</main>)
