import { useNavigate } from '@tanstack/react-router'
import { queries } from '../app/queries.ts'
import { ownPath } from './own-path.ts'

/** Returns a function that opens the pages after a sign-in and clears the data of an earlier session. */
export function useEnter(next?: string): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    queries.clear()
    await navigate({ to: ownPath(next, location.origin), replace: true })
  }
}
