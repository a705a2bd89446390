import { Navigate, Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, lazy, useState } from 'react'
import { Skeleton } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { useCompanyId } from '../app/company.ts'
import styles from './frame.module.css'
import { LiveProvider } from '../app/live.tsx'
import { OwnPages } from './OwnPages.tsx'
import { useCompanies, useSession } from '../app/session.ts'
import { HoldBanner } from './HoldBanner.tsx'
import { SideBar, NavigationLink } from './SideBar.tsx'
import { TopBar } from './TopBar.tsx'
import { LAST_COMPANY } from './start.ts'
import { appWords } from './words.ts'
import { UnstyledButton } from '@mantine/core'
import { Icon } from '../parts/Icon.tsx'
import { NAVIGATION, ON_PHONES } from './navigation.ts'

/**
 * The frame around the pages of a company: side bar, top bar, and on phones a bar at the bottom. It opens the live
 * stream of the company, and stores the company as the one to open at the next start.
 */
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

const MoreDrawer = lazy(() =>
  import('./MoreDrawer.tsx').then((module) => ({ default: module.MoreDrawer })),
)

/** The bar at the bottom on phones: three pages, and a button that opens the rest. */
function BottomBar() {
  const t = useWords(appWords)
  const [isOpen, setOpen] = useState(false)
  const { role } = useSession()
  const items = NAVIGATION.flatMap((group) => group.items).filter(
    ({ word, roles }) => ON_PHONES.includes(word) && roles.includes(role),
  )
  return (
    <>
      <nav className={styles.bottom} aria-label={t('navigation')}>
        {ON_PHONES.map((word) => {
          const item = items.find((one) => one.word === word)
          return item && <NavigationLink key={word} item={item} />
        })}
        <UnstyledButton className={styles.item} onClick={() => setOpen(true)}>
          <Icon name="menu" />
          <span>{t('more')}</span>
        </UnstyledButton>
      </nav>
      {isOpen && (
        <Suspense>
          <MoreDrawer onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
