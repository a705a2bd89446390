import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { flowsWords } from './words.ts'

export function Flows() {
  const t = useWords(flowsWords)
  return <PageHeader title={t('title')} />
}
