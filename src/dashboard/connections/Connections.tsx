import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { connectionsWords } from './words.ts'

export function Connections() {
  const t = useWords(connectionsWords)
  return <PageHeader title={t('title')} />
}
