import { useNavigate } from '@tanstack/react-router'
import { useAct } from '../parts/use-act.ts'
import { accountApi } from '../app/resources.ts'
import { forgetKept } from '../app/kept-in-tab.ts'
import { queries } from '../app/queries.ts'

/** Ends the session; nothing that was read or written is left in the tab. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  const { run } = useAct()
  return () =>
    void run(async () => {
      await accountApi.call('delete', '/session')
      await navigate({ to: '/sign-in', search: {} })
      queries.clear()
      forgetKept()
    })
}
