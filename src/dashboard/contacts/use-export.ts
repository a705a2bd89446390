import { useApi } from '../app/resources.ts'
import { saveFile } from '../parts/save-file.ts'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import type { ContactSearch } from './search.ts'
import { contactsWords } from './words.ts'

/** Returns a function that saves the listed contacts as a CSV file. */
export function useExport() {
  const t = useWords(contactsWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const save = ({ q, tag, messages, segment }: ContactSearch) => {
    void run(async () => {
      const file = await api.call('post', 'contact-exports', {
        ...(q && { q }),
        ...(tag && { tag }),
        ...(messages && { optedOut: messages === 'stopped' }),
        ...(segment && { segmentId: segment }),
      })
      toastSuccess(t('exporting'))
      saveFile(file, 'contacts.csv')
    })
  }
  return { isBusy, save }
}
