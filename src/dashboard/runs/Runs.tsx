import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { runsWords } from './words.ts'

export function Runs() {
  const t = useWords(runsWords)
  return <PageHeader title={t('title')} />
}
