import type { ReactNode } from 'react'
import { useMay } from '../app/session.ts'
import { Empty } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { webhooksWords } from './words.ts'

/** Endpoints and deliveries are for those who set up; an Agent who came by a link is told whom to ask. */
export function SetUpOnly({ children }: { children: ReactNode }) {
  const t = useWords(webhooksWords)
  const may = useMay()
  return may.setUp ? children : <Empty title={t('not_yours')}>{t('not_yours_why')}</Empty>
}
