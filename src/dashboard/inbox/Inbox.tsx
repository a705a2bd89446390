import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { inboxWords } from './words.ts'

export function Inbox() {
  const t = useWords(inboxWords)
  return <PageHeader title={t('title')} />
}
