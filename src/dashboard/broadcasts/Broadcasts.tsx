import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { broadcastsWords } from './words.ts'

export function Broadcasts() {
  const t = useWords(broadcastsWords)
  return <PageHeader title={t('title')} />
}
