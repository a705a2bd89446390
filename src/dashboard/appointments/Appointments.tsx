import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { appointmentsWords } from './words.ts'

export function Appointments() {
  const t = useWords(appointmentsWords)
  return <PageHeader title={t('title')} />
}
