import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { homeWords } from './words.ts'

export function Home() {
  const t = useWords(homeWords)
  return <PageHeader title={t('title')} />
}
