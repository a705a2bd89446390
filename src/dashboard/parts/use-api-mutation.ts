import { useState } from 'react'
import { ApiError } from '../app/api.ts'
import { askForPassword } from '../app/ask-for-password.ts'
import { useWords } from '../words/use-words.tsx'
import { toastSuccess, toastError } from './toasts.tsx'
import { partsWords } from './words.ts'

type Act = {
  isBusy: boolean
  /**
   * Runs the act, unless one is running already. Where the API wants the password entered again, the member is asked
   * for it and the act is repeated. Success shows `done`; an error is shown unless `onRefused` handles it. Resolves to
   * null when the act was not done.
   */
  run<Value>(
    act: () => Promise<Value>,
    options?: { done?: string | undefined; onRefused?: (refusal: ApiError) => boolean },
  ): Promise<Value | null>
}

/**
 * Returns a function that runs a change by the API, and whether one is in progress. A failed change is shown as a
 * toast.
 */
export function useApiMutation(): Act {
  const t = useWords(partsWords)
  const [isBusy, setBusy] = useState(false)
  return {
    isBusy,
    run: async (act, { done, onRefused } = {}) => {
      if (isBusy) return null
      setBusy(true)
      try {
        const value = await withPassword(act)
        if (done !== undefined) toastSuccess(done)
        return value
      } catch (error) {
        const hasHandled = error instanceof ApiError && onRefused?.(error) === true
        if (!hasHandled) toastError(error, t('not_saved_offline'))
        return null
      } finally {
        setBusy(false)
      }
    },
  }
}

async function withPassword<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'password_needed') throw error
    if (!(await askForPassword())) throw error
    return act()
  }
}
