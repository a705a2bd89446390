import { useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Empty } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { NAVIGATION, type NavigationItem } from './navigation.ts'
import { useMay } from '../app/session.ts'
import { appWords } from './words.ts'

/** Returns the item of the navigation to which the open page belongs. */
export function useNavigationItem(): NavigationItem | undefined {
  const here = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' })
  return NAVIGATION.flatMap(({ items }) => items).findLast(({ to }) => here.startsWith(to))
}

/** Pages for Owners and Admins, below a page for all members. */
const OF_SET_UP: readonly string[] = [
  '/p/$company/appointments/shifted',
  '/p/$company/appointments/outside-hours',
]

/** Shows the page only to roles that may open it; other members read which roles to ask. */
export function OwnPages({ children }: { children: ReactNode }) {
  const t = useWords(appWords)
  const { role, setUp } = useMay()
  const item = useNavigationItem()
  const here = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' })
  const mayHere = setUp || !OF_SET_UP.includes(here)
  if (item === undefined || (item.roles.includes(role) && mayHere)) return children
  return (
    <>
      <h1 className="visually-hidden">{t(item.word)}</h1>
      <Empty title={t('not_yours')}>{t('not_yours_why')}</Empty>
    </>
  )
}
