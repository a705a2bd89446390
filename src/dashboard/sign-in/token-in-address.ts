import { useSyncExternalStore } from 'react'

/** The pages whose links have a token after the #. */
const WITH_TOKEN: ReadonlySet<string> = new Set([
  '/welcome',
  '/set-up',
  '/invitation',
  '/new-password',
])

let token = ''
const listeners = new Set<() => void>()

/**
 * Starts to move the tokens of opened links out of the address bar, where history and logs would keep them. A link that
 * is opened in the same tab changes only the part after the #.
 */
export function watchTokensOfLinks(): void {
  token = takeToken() ?? ''
  addEventListener('hashchange', () => {
    const next = takeToken()
    if (next === null) return
    token = next
    for (const notify of listeners) notify()
  })
}

/** Removes the token from the URL, so that no history, screenshot or copied URL contains it. */
function takeToken(): string | null {
  if (!WITH_TOKEN.has(location.pathname.replace(/\/$/, '')) || location.hash.length < 2) return null
  const found = location.hash.slice(1)
  history.replaceState(history.state, '', location.pathname + location.search)
  return found
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the token of the link that was opened, or an empty text. The URL contains the token for a moment only. */
export function useTokenOfLink(): string {
  return useSyncExternalStore(subscribe, () => token)
}
