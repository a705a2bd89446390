import { useNavigate } from '@tanstack/react-router'
import { queries } from '../app/queries.ts'
import { ownPath } from './own-path.ts'

/** Opens the pages for who has just been signed in: nothing that was read before is theirs. */
export function useEnter(next?: string): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    queries.clear()
    await navigate({ to: ownPath(next, location.origin), replace: true })
  }
}
