import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { templatesWords } from './words.ts'

export function Templates() {
  const t = useWords(templatesWords)
  return <PageHeader title={t('title')} />
}
