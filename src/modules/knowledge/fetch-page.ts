import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { KNOWLEDGE_ENGINE, KNOWLEDGE_LIMITS } from '../../core/limits/knowledge.ts'
import type { OutboundAnswer, OutboundClient } from '../../infra/egress/outbound-client.ts'
import { isAllowedByRobots, ROBOT_NAME } from '../../rules/knowledge/robots.ts'

/** A fetched page with its `Content-Type`, or why it cannot be read. */
export type FetchedPage = { ok: true; bytes: Buffer; mediaType: string } | { ok: false; why: Fact }

type Deps = { outbound: Pick<OutboundClient, 'send'> }
type Got =
  | { ok: true; status: number; headers: Map<string, string>; bytes: Buffer; url: string }
  | Failed
type Failed = { ok: false; why: Fact }

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const READ_TYPES: ReadonlySet<string> = new Set([
  'text/html',
  'application/xhtml+xml',
  'text/plain',
])

/**
 * Fetches a web page that is a source of knowledge, if its robots.txt allows it. Every redirect target is checked like
 * the first address, and against the site's robots.txt. Never rejects.
 *
 * Spec: Assistant › Knowledge.
 */
export async function fetchPage({ outbound }: Deps, url: string): Promise<FetchedPage> {
  const endsAt = performance.now() + KNOWLEDGE_ENGINE.fetchMs
  const get = (of: string, max: number) => getOne(outbound, { url: of, max, endsAt })
  const page = await follow(url, async (at) => {
    const { origin, pathname, search } = new URL(at)
    const may = await mayBeRead(get, origin, pathname + search)
    return may === true ? get(at, KNOWLEDGE_LIMITS.pageBytes) : may
  })
  if (!page.ok) return page
  if (page.status !== 200) return failed(fact('page_status', { status: page.status }))
  const mediaType = page.headers.get('content-type') ?? 'text/html'
  const plainType = mediaType.split(';', 1)[0]!.trim().toLowerCase()
  if (!READ_TYPES.has(plainType)) {
    return failed(fact('page_type', { mediaType: plainType.slice(0, 100) }))
  }
  return { ok: true, bytes: page.bytes, mediaType: mediaType.slice(0, 200) }
}

/** Returns true if robots.txt allows the page, else the reason. A site without the file allows all pages. */
async function mayBeRead(
  get: (url: string, max: number) => Promise<Got>,
  origin: string,
  path: string,
): Promise<true | Failed> {
  const robots = await follow(`${origin}/robots.txt`, (at) => get(at, KNOWLEDGE_ENGINE.robotsBytes))
  if (!robots.ok) return robots
  if (robots.status >= 500) return failed(fact('page_status', { status: robots.status }))
  if (robots.status !== 200) return true
  return (
    isAllowedByRobots(robots.bytes.toString('utf8'), path) || failed(fact('page_forbids_robots'))
  )
}

async function follow(url: string, get: (at: string) => Promise<Got>): Promise<Got> {
  let at = url
  for (let hop = 0; hop <= KNOWLEDGE_LIMITS.redirects; hop++) {
    const got = await get(at)
    if (!got.ok || !REDIRECTS.has(got.status)) return got
    const next = URL.parse(got.headers.get('location') ?? '', at)
    if (next?.protocol !== 'https:' || next.username !== '' || next.password !== '') {
      return failed(fact('page_redirect_unusable'))
    }
    next.hash = ''
    at = next.href
  }
  return failed(fact('page_too_many_redirects', { max: KNOWLEDGE_LIMITS.redirects }))
}

async function getOne(
  outbound: Deps['outbound'],
  { url, max, endsAt }: { url: string; max: number; endsAt: number },
): Promise<Got> {
  const answer = await outbound.send({
    method: 'GET',
    url,
    headers: [
      ['accept', 'text/html, text/plain;q=0.8'],
      ['accept-encoding', 'gzip, br'],
      ['user-agent', `${ROBOT_NAME}/1.0`],
    ],
    body: null,
    deadlineMs: Math.max(1, endsAt - performance.now()),
    connectMs: KNOWLEDGE_ENGINE.connectMs,
    answerBytes: max,
    readWholeAnswer: true,
  })
  return answer.kind === 'error' ? failed(answer.detail) : unpacked(answer, { url, max })
}

type Answered = Extract<OutboundAnswer, { kind: 'answer' }>
type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>
// Unpacking runs outside of the event loop, because the sender controls how long it takes.
const UNPACK: Record<string, Unpack> = { gzip: promisify(gunzip), br: promisify(brotliDecompress) }

async function unpacked(
  { status, headers: raw, head, truncated }: Answered,
  { url, max }: { url: string; max: number },
): Promise<Got> {
  const headers = new Map(raw.map(([name, value]) => [name.toLowerCase(), value]))
  // The body of an unsuccessful response is not read.
  if (status !== 200) return { ok: true, status, headers, bytes: Buffer.alloc(0), url }
  if (truncated) return failed(fact('page_too_large', { max }))
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '')
    return { ok: true, status, headers, bytes: head, url }
  const unpack = UNPACK[encoding]
  if (!unpack) return failed(fact('page_encoding', { encoding: encoding.slice(0, 50) }))
  try {
    const bytes = await unpack(head, { maxOutputLength: max })
    return { ok: true, status, headers, bytes, url }
  } catch (error) {
    const isTooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE'
    return failed(isTooLarge ? fact('page_too_large', { max }) : fact('source_broken'))
  }
}

const failed = (why: Fact): Failed => ({ ok: false, why })
