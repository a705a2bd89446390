import { QueryClient } from '@tanstack/react-query'
import { Refusal } from './api.ts'

/** What is shown may be this old when a page is opened again; live changes come sooner. */
const FRESH_MS = 15_000
const MOST_TRIES = 2

/** What the pages have read. What was refused is not asked again by itself; what could not be asked is. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: true,
      retry: (tries, error) => {
        if (!(error instanceof Refusal)) return false
        const mayPass = error.status === 0 || error.status === 503
        return mayPass && tries < MOST_TRIES
      },
    },
    mutations: { retry: false },
  },
})
