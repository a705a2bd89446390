import { useNavigate } from '@tanstack/react-router'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { accountApi } from '../app/resources.ts'
import { clearTabStorage } from '../app/tab-storage.ts'
import { queries } from '../app/queries.ts'

/** Returns a function that ends the session and clears the tab's data. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  const { run } = useApiMutation()
  return () =>
    void run(async () => {
      await accountApi.call('delete', '/session')
      await navigate({ to: '/sign-in', search: {} })
      queries.clear()
      clearTabStorage()
    })
}
