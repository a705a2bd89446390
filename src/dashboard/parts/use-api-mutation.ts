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
 * Returns a function that calls the API for a change, and shows progress and errors. It tracks the progress and shows
 * an error message when an act fails.
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
        const isTaken = error instanceof ApiError && onRefused?.(error) === true
        if (!isTaken) toastError(error, t('not_saved_offline'))
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
