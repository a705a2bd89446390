/** The pages of the dashboard: each is the same document, whose script shows what the path names. */
const PAGES: ReadonlySet<string> = new Set([
  '/',
  '/sign-in',
  '/set-up',
  '/invitation',
  '/forgotten-password',
  '/new-password',
  '/second-factor',
  '/welcome',
  '/account',
  '/p',
])
const BELOW = ['/account/', '/p/'] as const

/** Returns whether the path of a request is a page of the dashboard. */
export function isDashboardPath(path: string): boolean {
  const page = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  return PAGES.has(page) || BELOW.some((prefix) => path.startsWith(prefix))
}
