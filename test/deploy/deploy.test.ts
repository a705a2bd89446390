/** The samples of `deploy/` name only what exists, and their limits and times fit those of the service. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { IMPORT_LIMITS } from '../../src/core/limits/contacts.ts'
import { FILE_LIMITS } from '../../src/core/limits/files.ts'
import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { KNOWLEDGE_LIMITS } from '../../src/core/limits/knowledge.ts'
import { PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8')
/** Returns a file without its comments. */
const rulesOf = (file: string) =>
  read(file)
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')

const DOCKERFILE = rulesOf('deploy/Dockerfile')
const COMPOSE = rulesOf('deploy/compose.yaml')
const NGINX = rulesOf('deploy/nginx.conf')
const CADDY = rulesOf('deploy/Caddyfile')
const HAPROXY = rulesOf('deploy/haproxy.cfg')
const KUBERNETES = rulesOf('deploy/kubernetes.yaml')
const UNIT = rulesOf('deploy/wasla.service')

/** Returns what the pattern's first group matches, each time. */
const each = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, caught]) => caught!)

const SETTINGS = new Set(each(read('.env.example'), /^([A-Z][A-Z0-9_]+)=/gm))
/** Settings that the container fixes: real operation, the address that it listens on, and its data folder. */
const FIXED = ['NODE_ENV', 'HOST', 'PORT', 'DATABASE_URL', 'DATA_FOLDER']
const config = readConfig({}, [], PROJECT)
const number = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? Number.NaN)

/** Returns the settings that compose gives the service, by name. */
function settingsOfCompose(): Map<string, string> {
  const service = COMPOSE.slice(COMPOSE.indexOf('  service:'), COMPOSE.indexOf('  postgres:'))
  const settings = [...service.matchAll(/^ {6}([A-Z][A-Z0-9_]*): (.*)$/gm)]
  return new Map(settings.map(([, name, value]) => [name!, value!]))
}

test('no log of nginx has an address that gives access', () => {
  const [pattern] = each(NGINX, /^ {2}"~(.*)" "\$kept\*\*\*";$/gm)
  const named = (uri: string) => new RegExp(pattern!).exec(uri)?.groups?.['kept'] ?? uri
  for (const uri of [
    '/hooks/hook_x',
    '/o/x',
    '/a/x',
    '/a/x/appointment.ics',
    '/calendar/x.ics',
    '/webhooks/telegram/x',
  ]) {
    expect(named(uri)).toMatch(/^\/[a-z/]+\/$/)
    expect(named(uri)).not.toMatch(/x/)
  }
  expect(named('/p/a-shop')).toBe('/p/a-shop')
  expect(NGINX).not.toMatch(
    /log_format[^;]*\$(?:request\b|request_uri|args|query_string|http_referer)/,
  )
  const servers = NGINX.split(/^server \{$/m).slice(1)
  for (const server of servers) {
    expect(server).toMatch(/^ {2}access_log \S+ masked;$/m)
    expect(server).toMatch(/^ {2}error_log \S+ crit;$/m)
  }
})

test('every setting in the samples is one of .env.example', () => {
  const lines = [...each(DOCKERFILE, /^ENV (.*)$/gm), ...each(UNIT, /^Environment=(.*)$/gm)]
  const proxies = ['nginx.conf', 'Caddyfile', 'haproxy.cfg'].map((file) => read(`deploy/${file}`))
  const given = [
    ...settingsOfCompose().keys(),
    ...lines.flatMap((line) => each(line, /([A-Z0-9_]+)=/g)),
    ...each(KUBERNETES, /^ {2}([A-Z0-9_]+):/gm),
    ...proxies.flatMap((text) => each(text, /^# {3}([A-Z0-9_]+)=/gm)),
  ]
  expect(given.length).toBeGreaterThan(12)
  expect(given.filter((name) => !SETTINGS.has(name))).toEqual([])
})

test('compose passes on all settings except those that the container fixes, and names those', () => {
  const handedOn = [...settingsOfCompose()].flatMap(([name, value]) =>
    new RegExp(`\\$\\{${name}:[-?][^}]*\\}$`).test(value) ? [name] : [],
  )
  expect([...handedOn, ...FIXED].toSorted()).toEqual([...SETTINGS].toSorted())
  const [head] = read('deploy/compose.yaml').split('name: wasla')
  for (const name of FIXED) expect(head).toMatch(new RegExp(`\\b${name}\\b`))
  // A setting that the operator has not set arrives as an empty value.
  const empty = Object.fromEntries(handedOn.map((name) => [name, '']))
  expect(readConfig(empty, [], PROJECT)).toEqual(config)
})

test('compose trusts the bridge of its network, and the ranges that the operator adds', () => {
  const [from, range] = [settingsOfCompose().get('TRUSTED_PROXIES')!, '10.1.2.3/32']
  const trusted = (added: string) => {
    const TRUSTED_PROXIES = from.replace(/\$\{.*\}/, added)
    return readConfig({ TRUSTED_PROXIES }, [], PROJECT).trustedProxies
  }
  const bridge = `${/gateway: ([\d.]+)/.exec(COMPOSE)![1]!}/32`
  expect(trusted('')).toEqual([bridge])
  expect(trusted(range)).toEqual([bridge, range])
})

test("the files that the dashboard's tsconfig.json extends are copied before the dashboard is built", () => {
  const [before, after] = DOCKERFILE.split('RUN node scripts/build-dashboard.ts')
  expect(after).toBeDefined()
  const copied = each(before!, /^COPY (.+) \S+$/gm).flatMap((files) => files.split(' '))
  let file = 'src/dashboard/tsconfig.json'
  const needed = [file]
  for (;;) {
    const { extends: other } = JSON.parse(read(file)) as { extends?: string }
    if (other === undefined) break
    file = path.join(path.dirname(file), other)
    needed.push(file)
  }
  expect(needed).toContain('tsconfig.json')
  const isCopied = (one: string) => copied.some((part) => `${one}/`.startsWith(`${part}/`))
  expect(needed.filter((one) => !isCopied(one))).toEqual([])
  const ignored = read('deploy/Dockerfile.dockerignore').trim().split('\n')
  expect(needed.filter((one) => ignored.includes(one))).toEqual([])
})

test('every path of the project that the samples name exists', () => {
  const copied = each(DOCKERFILE, /^COPY (?!--from)(.+) \S+$/gm).flatMap((files) =>
    files.split(' '),
  )
  expect(copied.length).toBeGreaterThan(6)
  const named = each(DOCKERFILE, /\/app\/([\w/.-]+\.ts)/g)
  const programs = [DOCKERFILE, UNIT].map((text) => /(src\/main\.\w+)/.exec(text)![1]!)
  const mentioned = readdirSync(path.join(PROJECT, 'deploy')).flatMap((file) =>
    each(read(`deploy/${file}`), /(deploy\/[\w.]+)/g),
  )
  const all = [...copied, ...named, ...programs, ...mentioned]
  expect(all.filter((file) => !existsSync(path.join(PROJECT, file)))).toEqual([])
  // All that the service imports at run time is copied.
  expect(copied).toEqual(
    expect.arrayContaining([
      'src',
      'simulators',
      'demonstration',
      'scripts',
      'migrations',
      'examples',
    ]),
  )
})

test('the samples lead to the port that the service listens on, and ask for paths that it answers', () => {
  const port = String(config.port)
  expect(DOCKERFILE).toContain(`PORT=${port} `)
  expect(DOCKERFILE).toContain(`EXPOSE ${port}`)
  expect(COMPOSE).toContain(`127.0.0.1:${port}:${port}`)
  expect(NGINX).toContain(`server 127.0.0.1:${port} `)
  expect(CADDY).toContain(`reverse_proxy 127.0.0.1:${port} `)
  expect(DOCKERFILE).toContain('/readyz')
  expect(CADDY).toContain('health_uri /readyz')
  expect(read('src/http/server.ts')).toContain(`'/readyz'`)
  const live = /'(\/companies\/[^']+\/live)'/.exec(read('src/http/dashboard-api/live.ts'))![1]!
  const location = /location ~ (\S+) \{[^}]*proxy_buffering off/.exec(NGINX)
  expect(`/api${live}`).toMatch(new RegExp(location![1]!))
})

test('the proxies let through what the service accepts, and wait as long as it does', () => {
  const files = [FILE_LIMITS.bytes, IMPORT_LIMITS.bytes, KNOWLEDGE_LIMITS.fileBytes]
  const largest = Math.max(PROVIDER_LIMITS.webhookBytes, ...files)
  expect(number(NGINX, /client_max_body_size (\d+)m;/) * 1_048_576).toBeGreaterThan(largest)
  expect(number(CADDY, /max_size (\d+)MB/) * 1_000_000).toBeGreaterThan(largest)
  expect(number(NGINX, /client_header_timeout (\d+)s;/) * SECOND_MS).toBe(HOOK_LIMITS.headersMs)
  expect(number(NGINX, /client_body_timeout (\d+)s;/) * SECOND_MS).toBe(HOOK_LIMITS.requestMs)
  // A request that was sent is not sent to another process.
  expect(NGINX).toContain('proxy_next_upstream error timeout;')
  expect(NGINX).not.toContain('non_idempotent')
  // Claims of a client about itself are replaced, not passed on.
  expect(NGINX).toContain('X-Forwarded-For $remote_addr;')
  expect(CADDY).toContain('header_up X-Forwarded-For {remote_host}')
})

test('browsers use HTTP/2, since every tab keeps a stream open: in the syntax that every nginx knows', () => {
  const listens = each(NGINX, /(listen (?:\[::\]:)?443 [^;]*;)/g)
  expect(listens).toHaveLength(2)
  for (const line of listens) expect(line).toMatch(/ ssl http2;$/)
})

test('the service waits for the final database server, not for the one that its image sets up with', () => {
  expect(COMPOSE).toMatch(/'pg_isready', '-h', '127\.0\.0\.1'/)
})

test('both proxies refuse a hook over plain HTTP, and redirect all else to https', () => {
  const servers = NGINX.split(/^server \{$/m)
  const plain = servers.find((server) => /^ {2}listen 80;$/m.test(server))
  expect(plain).toMatch(/^ {2}location \/hooks \{ return 403; \}$/m)
  expect(plain).toMatch(/^ {2}location \/ \{ return 308 https:\/\/\$host\$request_uri; \}$/m)
  // Without a separate site for http Caddy redirects all of it; a bare redir precedes any respond.
  const [, caddy] = CADDY.split(/^http:\/\/hooks\.example\.com \{$/m)
  const directives = (caddy ?? '').split('\n').flatMap((line) => line.trim() || [])
  expect(directives.join(' ')).toBe(
    'handle /hooks* { respond 403 } handle { redir https://{host}{uri} 308 } }',
  )
})

test('nothing runs as root, and a stop waits for work in progress', () => {
  expect(DOCKERFILE).toMatch(/^USER wasla$/m)
  expect(DOCKERFILE).toMatch(/^ENTRYPOINT \["node",/m)
  expect(DOCKERFILE).toContain('STOPSIGNAL SIGTERM')
  expect(UNIT).toMatch(/^User=wasla$/m)
  expect(COMPOSE).toContain('read_only: true')
  const longestMs = PROVIDER_LIMITS.sendMs + SECOND_MS
  expect(number(COMPOSE, /stop_grace_period: (\d+)s/) * SECOND_MS).toBeGreaterThan(longestMs)
  expect(number(UNIT, /TimeoutStopSec=(\d+)/) * SECOND_MS).toBeGreaterThan(longestMs)
})

test('HAProxy and Kubernetes look at the addresses and ports of the service, and wait for its stop', () => {
  expect(HAPROXY).toMatch(/option httpchk GET \/readyz$/m)
  expect(HAPROXY).not.toMatch(/%(?:HU|HQ|HP|r)\b|\burl\b/)
  expect(each(KUBERNETES, /containerPort: (\d+)/g)).toEqual([String(config.port)])
  expect(each(KUBERNETES, /path: (\/\S+),/g)).toEqual(['/healthz', '/readyz', '/readyz'])
  expect(number(KUBERNETES, /terminationGracePeriodSeconds: (\d+)/)).toBe(
    number(COMPOSE, /stop_grace_period: (\d+)s/),
  )
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(KUBERNETES).toContain(`/wasla:${version}`)
  expect(number(KUBERNETES, /runAsUser: (\d+)/)).toBe(number(DOCKERFILE, /--uid (\d+)/))
})
