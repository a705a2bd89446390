import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { contactsWords } from './words.ts'

export function Contacts() {
  const t = useWords(contactsWords)
  return <PageHeader title={t('title')} />
}
