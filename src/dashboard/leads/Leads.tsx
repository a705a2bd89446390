import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { leadsWords } from './words.ts'

export function Leads() {
  const t = useWords(leadsWords)
  return <PageHeader title={t('title')} />
}
