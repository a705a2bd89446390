import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { accountWords } from './words.ts'

export function Usage() {
  const t = useWords(accountWords)
  return <PageHeader title={t('title')} />
}
