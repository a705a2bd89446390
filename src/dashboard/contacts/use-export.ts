import { api, Refusal } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { saveFile } from '../parts/save-file.ts'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import type { ContactSearch } from './routes.ts'
import { contactsWords } from './words.ts'

/** Saves the contacts that the list shows as a CSV file. */
export function useExport() {
  const t = useWords(contactsWords)
  const companyId = useCompanyId()
  const { isBusy, run } = useAct()
  const save = ({ q, tag, messages, segment }: ContactSearch) => {
    void run(async () => {
      const answer = await api.companies[':companyId']['contact-exports'].$post({
        param: { companyId },
        json: {
          ...(q && { q }),
          ...(tag && { tag }),
          ...(messages && { optedOut: messages === 'stopped' }),
          ...(segment && { segmentId: segment }),
        },
      })
      if (!answer.ok) throw await refusalOf(answer)
      sayDone(t('exporting'))
      saveFile(await answer.blob(), 'contacts.csv')
      return true
    })
  }
  return { isBusy, save }
}

/** What an answer that is no JSON when it is well says when it is not. */
export async function refusalOf(answer: {
  status: number
  text(): Promise<string>
}): Promise<Refusal> {
  try {
    return new Refusal(answer.status, JSON.parse(await answer.text()) as object)
  } catch {
    return new Refusal(answer.status, {})
  }
}
