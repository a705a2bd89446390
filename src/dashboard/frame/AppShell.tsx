import { Navigate, Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { Skeleton } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { useCompanyId } from '../app/company.ts'
import styles from './frame.module.css'
import { LiveProvider } from '../app/live.tsx'
import { OwnPages } from './OwnPages.tsx'
import { useCompanies } from '../app/session.ts'
import { BottomBar } from './BottomBar.tsx'
import { HoldBanner } from './HoldBanner.tsx'
import { SideBar } from './SideBar.tsx'
import { TopBar } from './TopBar.tsx'
import { LAST_COMPANY } from './start.ts'
import { appWords } from './words.ts'

/** The frame around the pages of a company: side bar, top bar, and on phones a bar at the bottom. */
export function AppShell() {
  const t = useWords(appWords)
  const companyId = useCompanyId()
  useEffect(() => localStorage.setItem(LAST_COMPANY, companyId), [companyId])
  const isThere = useCompanies().some(({ id }) => id === companyId)
  // The session may have switched to another account, in another tab.
  if (!isThere) return <Navigate to="/" />
  return (
    <LiveProvider companyId={companyId} key={companyId}>
      <a href="#content" className={styles.skip}>
        {t('skip')}
      </a>
      <div className={styles.frame}>
        <SideBar />
        <div className={styles.column}>
          <TopBar />
          <main id="content" className={styles.content} tabIndex={-1}>
            <HoldBanner />
            <Suspense fallback={<Skeleton />}>
              <OwnPages>
                <Outlet />
              </OwnPages>
            </Suspense>
          </main>
          <BottomBar />
        </div>
      </div>
    </LiveProvider>
  )
}
