import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { webhooksWords } from './words.ts'

export function Endpoints() {
  const t = useWords(webhooksWords)
  return <PageHeader title={t('title')} />
}
