import { useIsLive } from './live.tsx'
import { Link, useMatches } from '@tanstack/react-router'
import { CRUMBS_PLACE } from '../parts/Crumbs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { partsWords } from '../parts/words.ts'
import { useWords } from '../words/use-words.tsx'
import { useCompanyId } from './company.ts'
import styles from './frame.module.css'
import { LanguageSwitch } from './LanguageSwitch.tsx'
import { NAVIGATION } from './navigation.ts'
import { appWords } from './words.ts'

/** Where one is, and what is there on every page. */
export function TopBar() {
  const t = useWords(appWords)
  const parts = useWords(partsWords)
  const isLive = useIsLive()
  const company = useCompanyId()
  const here = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' })
  const page = NAVIGATION.flatMap(({ items }) => items).findLast(({ to }) => here.startsWith(to))
  return (
    <>
      <header className={styles.top}>
        <nav className={styles.crumbs} aria-label={t('way_here')}>
          {page && here !== page.to ? (
            <Link to={page.to} params={{ company }}>
              {t(page.word)}
            </Link>
          ) : (
            page && t(page.word)
          )}
          <span id={CRUMBS_PLACE} />
        </nav>
        <LanguageSwitch />
      </header>
      {!isLive && (
        <div className={styles.paused} role="status">
          <Icon name="progress" />
          {parts('live_paused')}
        </div>
      )}
    </>
  )
}
