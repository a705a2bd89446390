/**
 * A build of the dashboard is served to browsers. The build of this project, which `npm test` made before, is
 * complete, served, and within its budget.
 */
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { createDashboard } from '../../src/dashboard-build/dashboard.ts'
import { SCRIPT, writeDashboard } from '../support/dashboard-fixture.ts'
import { openWorld } from '../support/open-world.ts'
import { measureBuild } from '../../scripts/dashboard/measure-build.ts'
import { hashSources } from '../../src/dashboard-build/hash-sources.ts'
import { placesOf, PROJECT } from '../../src/dashboard-build/places.ts'
import { readBuild } from '../../src/dashboard-build/read-build.ts'
import { startBrowser } from '../support/browser.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const PAGES =
  `/ /sign-in /set-up /invitation /new-password /welcome /account /account/team /p/a-shop
  /p/a-shop/flows/7?tab=runs`.split(/\s+/)
const ASSET = '/assets/index-a1.js'

const project = await mkdtemp(path.join(tmpdir(), 'wasla-dashboard-'))
await writeFile(path.join(project, 'secret.txt'), 'of nobody')
await writeDashboard(project)
const dashboard = createDashboard({ project, log: pino({ level: 'silent' }) })
const world = await openWorld({ dashboard })
afterAll(() => rm(project, { recursive: true, force: true }))

type Asked = {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

/** Sends a path exactly as it is written, without normalizing it. */
async function ask(
  target: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Asked> {
  const { hostname, port } = new URL(world.url)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: target, method, headers }, (answer) => {
      buffer(answer).then(
        (bytes) => resolve({ status: answer.statusCode!, headers: answer.headers, bytes }),
        reject,
      )
    })
    asked.on('error', reject).end()
  })
}

describe('the pages', () => {
  test.each(PAGES)('%s is the one document, never out of a cache', async (target) => {
    const page = await ask(target, { headers: HTML })
    expect(page.status).toBe(200)
    expect(page.headers).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(page.bytes.toString()).toContain('<title>A dashboard</title>')
  })

  test("its policy allows only this service and what is marked with this answer's nonce", async () => {
    const read = async () => {
      const { headers, bytes } = await ask('/p/a-shop', { headers: HTML })
      const policy = String(headers['content-security-policy'])
      const nonce = /'nonce-([\w-]{22})'/.exec(policy)![1]!
      expect(bytes.toString()).toContain(`nonce="${nonce}"`)
      expect(bytes.toString()).not.toContain('__')
      return { nonce, policy: policy.replaceAll(nonce, 'N') }
    }
    const [one, other] = [await read(), await read()]
    expect(one.nonce).not.toBe(other.nonce)
    expect(one.policy).toBe(other.policy)
    expect(one.policy).toBe(
      "default-src 'none'; script-src 'self' 'nonce-N'; style-src 'self' 'nonce-N'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; media-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
  })

  test('a program that asks for JSON finds no page, except at the bare address', async () => {
    for (const accept of ['application/json', '*/*']) {
      expect((await ask('/p/a-shop', { headers: { accept } })).status).toBe(404)
      expect((await ask('/', { headers: { accept } })).status).toBe(200)
    }
  })

  test('only GET and HEAD return them', async () => {
    const head = await ask('/p/a-shop', { method: 'HEAD', headers: HTML })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await ask('/p/a-shop', { method, headers: HTML })).status).toBe(404)
    }
  })

  const OTHERS = `/hooks/x /api/nothing /api /v1/x /b/nobody /a/x /o/x /calendar/x /webhooks/none
    /metrics /healthz /readyz /people /index.html /nothing /sign-in/more`
  test.each(OTHERS.split(/\s+/))('%s is not one of them', async (target) => {
    const answer = await ask(target, { headers: HTML })
    expect(answer.bytes.toString()).not.toContain('A dashboard')
  })
})

describe('the files', () => {
  test('come packed as the browser takes them, and may be kept for good', async () => {
    const plain = await ask(ASSET)
    expect(plain.bytes.toString()).toBe(SCRIPT)
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(SCRIPT.length),
      vary: 'Accept-Encoding',
    })
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [accepted, encoding, unpack] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const packed = await ask(ASSET, { headers: { 'accept-encoding': accepted } })
      expect(packed.headers['content-encoding']).toBe(encoding)
      expect(unpack(packed.bytes).toString()).toBe(SCRIPT)
      expect(packed.headers.etag).not.toBe(plain.headers.etag)
    }
    expect((await ask(ASSET, { method: 'HEAD' })).bytes).toHaveLength(0)
    const font = await ask('/assets/letters-b2.woff2', { headers: { 'accept-encoding': 'br' } })
    expect([font.headers['content-type'], [...font.bytes]]).toEqual(['font/woff2', [1, 2, 3]])
  })

  test('a name that stays is validated each time, and not sent twice', async () => {
    const icon = await ask('/favicon.svg')
    expect(icon.headers['cache-control']).toBe('public, no-cache')
    const etag = String(icon.headers.etag)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask('/favicon.svg', { headers: { 'if-none-match': known } })
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag])
    }
    expect((await ask('/favicon.svg', { headers: { 'if-none-match': '"other"' } })).status).toBe(
      200,
    )
  })

  const ABSENT = `/assets/index-of-last-week.js /assets/ /assets/../.vite/manifest.json
    /.vite/manifest.json /.sources /assets/index-a1.js.br /assets/index-a1.js.gz
    /assets/../../../secret.txt /assets/..%2f..%2f..%2fsecret.txt /..%5c..%5csecret.txt
    /%2e%2e/%2e%2e/secret.txt //secret.txt /assets/index-a1.js%00.svg /assets//index-a1.js`
  test.each(ABSENT.split(/\s+/))('%s is not found, and no cache keeps that', async (target) => {
    const answer = await ask(target)
    expect(answer.status).toBe(404)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.bytes.toString()).toContain('"not_found"')
  })
})

test('a build that is replaced meanwhile changes nothing that is already served', async () => {
  await writeDashboard(project, { script: 'another' })
  expect((await ask(ASSET)).bytes.toString()).toBe(SCRIPT)
})

const places = placesOf(PROJECT)

const real = await openWorld()

test('The dashboard of this project was built from its current sources, and stays within its budget', async () => {
  const build = await readBuild(places.build)
  expect(build!.sources).toBe(await hashSources(PROJECT))
  const { entry, parts, isWithin } = measureBuild(places.build)
  expect({ entry, parts, isWithin }).toMatchObject({ isWithin: true })
  expect(entry.kilobytes).toBeGreaterThan(10)
  for (const [name, { bytes, br, isHashed }] of build!.files) {
    if (isHashed && bytes.length > 10_000 && /\.(js|css)$/.test(name)) expect(br).not.toBeNull()
  }
  expect([...build!.files.keys()].filter((name) => path.basename(name).startsWith('.'))).toEqual([])
})

test('A browser runs the dashboard of this project under its policy, and asks no other address', async () => {
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    const complaints: string[] = []
    const asked = new Set<string>()
    page.on('console', (line) => {
      if (/Content Security Policy|Refused to/i.test(line.text())) complaints.push(line.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (sent) => asked.add(new URL(sent.url()).origin))
    await page.goto(`${real.url}/sign-in`)
    await page.waitForFunction('document.querySelector("#root").childElementCount > 0')
    expect(complaints).toEqual([])
    expect([...asked]).toEqual([real.url])
  } finally {
    await browser.close()
  }
})
