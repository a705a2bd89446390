/**
 * The dashboard as browsers receive it: one document for all of its pages, and the files that it loads. Files are
 * found by name in the build in memory, so no request path ever reaches a disk.
 *
 * Spec: Dashboard › How it is served.
 */
import { Hono, type Context as Hc } from 'hono'
import type { Build, BuiltFile } from '../dashboard-build/read-build.ts'
import type { DashboardState } from '../dashboard-build/dashboard.ts'
import type { DashboardEnv } from './dashboard-api/env.ts'
import { acceptsEncoding } from './accept-encoding.ts'
import { writeWaitingPage } from './dashboard-waiting-page.ts'
import type { HttpDeps } from './http-deps.ts'
import { wordSet } from '../core/vocabulary/word-set.ts'

/** The pages of the dashboard: each is the same document, whose script shows what the path names. */
const PAGES: ReadonlySet<string> =
  wordSet(`/ /sign-in /set-up /invitation /forgotten-password /new-password /second-factor /welcome
  /account /p`)
const BELOW = ['/account/', '/p/'] as const

/** Returns whether the path of a request is a page of the dashboard. */
function isDashboardPath(path: string): boolean {
  const page = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  return PAGES.has(page) || BELOW.some((prefix) => path.startsWith(prefix))
}

/**
 * Returns the content security policy of the dashboard's document: it allows the service's own files, and inline
 * elements with the nonce of this response. Scripts and styles in attributes are refused; a style that a script sets
 * on an element is not an attribute.
 */
function writeDashboardPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const NONCE_BYTES = 16
const YEAR_S = 365 * 24 * 60 * 60
/** The reload interval of the page that is shown while the dashboard is being built, in seconds. */
const AGAIN_S = 2

/** Creates the routes that serve the dashboard's pages and files. */
export function createDashboardPages({
  dashboard,
  ids,
}: Pick<HttpDeps, 'dashboard' | 'ids'>): Hono<DashboardEnv> {
  const app = new Hono<DashboardEnv>()
  app.get('*', async (c, next) => {
    const isPage = isDashboardPath(c.req.path)
    if (isPage && !wantsPage(c)) return next()
    const state = await dashboard.state()
    if (isPage) {
      c.header('vary', 'Accept')
      return state.kind === 'ready'
        ? answerPage(c, state.build, ids.token(NONCE_BYTES))
        : answerWaiting(c, state)
    }
    const file = state.kind === 'ready' ? state.build.files.get(c.req.path) : undefined
    if (file) return answerFile(c, file)
    // The file belongs to an earlier build, or is not built yet: its absence must not be cached.
    c.header('cache-control', 'no-store')
    return next()
  })
  return app
}

/**
 * Returns whether to answer with the page. A program that asks for JSON gets 404 instead, except at the bare address.
 */
function wantsPage(c: Hc): boolean {
  return c.req.path === '/' || /\btext\/html\b/i.test(c.req.header('accept') ?? '')
}

function answerPage(c: Hc, build: Build, nonce: string): Response {
  c.header('content-security-policy', writeDashboardPolicy(nonce))
  c.header('cross-origin-opener-policy', 'same-origin')
  c.header('cache-control', 'no-cache')
  const page = build.page.replaceAll('__NONCE__', nonce).replaceAll('__VERSION__', build.version)
  return c.html(page)
}

async function answerWaiting(
  c: Hc,
  state: Exclude<DashboardState, { kind: 'ready' }>,
): Promise<Response> {
  const { text, policy } = await writeWaitingPage(state, AGAIN_S)
  c.header('content-security-policy', policy)
  c.header('cache-control', 'no-store')
  c.header('retry-after', String(AGAIN_S))
  return c.html(text, 503)
}

function answerFile(c: Hc, file: BuiltFile): Response {
  const { encoding, bytes } = chooseEncoding(file, c.req.header('accept-encoding'))
  const etag = `"${file.hash}${encoding === null ? '' : `-${encoding}`}"`
  c.header('etag', etag)
  c.header('vary', 'Accept-Encoding')
  c.header(
    'cache-control',
    file.isHashed ? `public, max-age=${YEAR_S}, immutable` : 'public, no-cache',
  )
  c.header('cross-origin-resource-policy', 'same-origin')
  if (matchesTag(c.req.header('if-none-match') ?? '', etag)) return c.body(null, 304)
  if (encoding !== null) c.header('content-encoding', encoding)
  c.header('content-length', String(bytes.length))
  return c.body(bytes, 200, { 'content-type': file.type })
}

/** Returns the file in the smallest encoding that the browser accepts; null is no encoding. */
function chooseEncoding(
  { bytes, br, gzip }: BuiltFile,
  accepted: string | undefined,
): { encoding: 'br' | 'gzip' | null; bytes: Buffer<ArrayBuffer> } {
  if (br && acceptsEncoding(accepted, 'br')) return { encoding: 'br', bytes: br }
  if (gzip && acceptsEncoding(accepted, 'gzip')) return { encoding: 'gzip', bytes: gzip }
  return { encoding: null, bytes }
}

/** Returns whether `If-None-Match` names the tag, also as a weak one, which a proxy may have made of it. */
function matchesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((part) => part.trim().replace(/^W\//, '') === etag)
}
