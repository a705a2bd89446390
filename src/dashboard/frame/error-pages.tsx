import { Button } from '@mantine/core'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { Empty, Failed } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { now } from '../words/now.ts'
import { appWords } from './words.ts'

const RELOADED = 'wasla.reloaded'
/**
 * The minimum time between two automatic reloads, since a page that fails again so soon is not fixed by another one.
 */
const RELOAD_EVERY_MS = 60_000

/** Returns whether the page may be reloaded automatically, and records that it is. */
function mayReload(): boolean {
  const at = now().getTime()
  const last = sessionStorage.getItem(RELOADED)
  if (last !== null && at - Number(last) < RELOAD_EVERY_MS) return false
  sessionStorage.setItem(RELOADED, String(at))
  return true
}

/** The page for a URL that leads nowhere. */
export function NotFound() {
  const t = useWords(appWords)
  return (
    <main style={{ padding: 24 }}>
      <Empty title={t('page_not_found')} act={<Link to="/">{t('to_start')}</Link>}>
        {t('page_not_found_why')}
      </Empty>
    </main>
  )
}

/**
 * The page that is shown when a page could not be loaded. When a file of an old version is missing, since a newer
 * version runs, the page is reloaded.
 */
export function PageError({ error }: ErrorComponentProps) {
  const t = useWords(appWords)
  const router = useRouter()
  const { reset } = useQueryErrorResetBoundary()
  const isGone = /dynamically imported module|Importing a module script|Unable to preload/i.test(
    error instanceof Error ? error.message : '',
  )
  if (isGone && mayReload()) {
    location.reload()
    return null
  }
  return (
    <main style={{ padding: 24 }}>
      <Failed
        error={error}
        title={t('page_failed')}
        onRetry={() => {
          sessionStorage.removeItem(RELOADED)
          // Without this the page would throw the error of its query again instead of reading.
          reset()
          void router.invalidate()
        }}
      />
      <Button component="a" href="/">
        {t('to_start')}
      </Button>
    </main>
  )
}
