import { Link, useMatches } from '@tanstack/react-router'
import { lazy, Suspense, useState, useEffect, useRef } from 'react'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { CRUMBS_PLACE } from '../parts/Crumbs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Kbd } from '../parts/Page.tsx'
import { toastError } from '../parts/toasts.tsx'
import { partsWords } from '../parts/words.ts'
import { changeManner, useManner } from '../words/language.ts'
import { sayIn, useWords } from '../words/use-words.tsx'
import { accountApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import styles from './frame.module.css'
import { LanguageSwitch } from './LanguageSwitch.tsx'
import { useIsLive } from '../app/live.tsx'
import { NoticeBell } from './NoticeBell.tsx'
import { useNavigationItem } from './OwnPages.tsx'
import { queries } from '../app/queries.ts'
import { sessionQuery, useMay, useSession } from '../app/session.ts'
import { topWords } from './words-top.ts'
import { appWords } from './words.ts'

const CommandPalette = lazy(() =>
  import('./CommandPalette.tsx').then(({ CommandPalette: it }) => ({ default: it })),
)
const KeyList = lazy(() => import('./KeyList.tsx').then(({ KeyList: it }) => ({ default: it })))

/** The bar above every page: the name of the page, and the tools that every page has. */
export function TopBar() {
  const t = useWords(appWords)
  const top = useWords(topWords)
  const parts = useWords(partsWords)
  const isLive = useIsLive()
  const { timeShown } = useManner()
  const company = useCompanyId()
  const here = useMatches({
    // The index page of a section has the same path with a trailing slash.
    select: (matches) => (matches.at(-1)?.fullPath ?? '').replace(/\/$/, ''),
  })
  const page = useNavigationItem()
  const storeLanguage = useStoreLanguage()
  return (
    <>
      <header className={styles.top}>
        <nav className={styles.crumbs} aria-label={t('way_here')}>
          {here === '/p/$company/profile' ? (
            t('profile')
          ) : page && here !== page.to ? (
            <Link to={page.to} params={{ company }}>
              {t(page.word)}
            </Link>
          ) : (
            page && t(page.word)
          )}
          <span id={CRUMBS_PLACE} />
        </nav>
        <Find />
        {timeShown === 'utc' && <abbr title={top('times_in_utc')}>{top('utc')}</abbr>}
        <LanguageSwitch onChosen={storeLanguage} />
        <NoticeBell />
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

/** The search field, which opens the palette, and the keys that open the palette and the list of keys. */
function Find() {
  const t = useWords(topWords)
  const { setUp } = useMay()
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  useKey({ code: 'KeyK', isWithControl: true }, () => setOpen('palette'))
  useKey({ key: '?' }, () => setOpen('keys'))
  const close = () => setOpen(null)
  return (
    <>
      <button
        type="button"
        className={styles.find}
        aria-keyshortcuts="Control+K"
        onClick={() => setOpen('palette')}
      >
        <Icon name="search" />
        <span>{t(setUp ? 'find' : 'find_as_agent')}</span>
        <Kbd>Ctrl K</Kbd>
      </button>
      <Suspense fallback={null}>
        {open === 'palette' && <CommandPalette onClose={close} onKeys={() => setOpen('keys')} />}
        {open === 'keys' && <KeyList onClose={close} />}
      </Suspense>
    </>
  )
}

/**
 * Returns a function that stores a language for a member who has chosen one, so that it applies in every browser. If
 * the API refuses it, an error is shown and the stored language comes back.
 */
function useStoreLanguage(): (language: Language) => void {
  const { person } = useSession()
  return (language) => {
    if (person.language === null) return
    const show = (chosen: Language | null) =>
      queries.setQueryData(
        sessionQuery.queryKey,
        (session) => session && { ...session, person: { ...session.person, language: chosen } },
      )
    show(language)
    accountApi.patch('/me', { language }).catch(async (error: unknown) => {
      toastError(error, sayIn(partsWords, language)('offline'))
      show(person.language)
      // The language may have been changed elsewhere meanwhile, and this read may fail as well.
      await accountApi.refresh('/session')
      changeManner(queries.getQueryData(sessionQuery.queryKey)?.person ?? {})
    })
  }
}

/** A key, given by its position on the keyboard (`code`), which also works in Arabic, or by its character (`key`). */
type Key = ({ code: string } | { key: string }) & { isWithControl?: boolean }

/** Calls `act` on the key, on every page. A key without Control is ignored while the member types. */
function useKey(wanted: Key, act: () => void): void {
  const newest = useRef({ wanted, act })
  useEffect(() => {
    newest.current = { wanted, act }
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { wanted: key, act: run } = newest.current
      const isIt = 'code' in key ? event.code === key.code : event.key === key.key
      const isControl = event.ctrlKey || event.metaKey
      if (!isIt || isControl !== (key.isWithControl ?? false) || event.altKey) return
      if (!isControl && isTyping(event.target)) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  )
}
