import { PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { developerToolsWords } from './words.ts'

export function DeveloperTools() {
  const t = useWords(developerToolsWords)
  return <PageHeader title={t('title')} />
}
