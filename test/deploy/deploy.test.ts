/** What the samples of `deploy/` name exists, and their limits and times fit those of the service. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { IMPORT_LIMITS } from '../../src/limits/contacts.ts'
import { FILE_LIMITS } from '../../src/limits/files.ts'
import { HOOK_LIMITS } from '../../src/limits/hooks.ts'
import { KNOWLEDGE_LIMITS } from '../../src/limits/knowledge.ts'
import { PROVIDER_LIMITS } from '../../src/limits/messaging.ts'
import { SECOND_MS } from '../../src/limits/units.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8')
/** Without its comments. */
const rulesOf = (file: string) =>
  read(file)
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')

const SETTINGS = new Set(
  [...read('.env.example').matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!),
)
/** What the container itself fixes: that it is in earnest, where it listens, and where its data lies. */
const FIXED = ['NODE_ENV', 'HOST', 'PORT', 'DATABASE_URL', 'DATA_FOLDER']
const config = readConfig({}, [], PROJECT)
const number = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? Number.NaN)

/** What compose gives the service, by the name of the setting. */
function settingsOfCompose(): Map<string, string> {
  const compose = rulesOf('deploy/compose.yaml')
  const service = compose.slice(compose.indexOf('  service:'), compose.indexOf('  postgres:'))
  return new Map(
    [...service.matchAll(/^ {6}([A-Z][A-Z0-9_]*): (.*)$/gm)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )
}

test('every setting that they give is one of .env.example', () => {
  const given = [
    ...settingsOfCompose().keys(),
    ...[...rulesOf('deploy/Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) =>
      [...line!.matchAll(/([A-Z0-9_]+)=/g)].map(([, name]) => name!),
    ),
    ...[...rulesOf('deploy/wasla.service').matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) =>
      [...line!.matchAll(/([A-Z0-9_]+)=/g)].map(([, name]) => name!),
    ),
    ...['nginx.conf', 'Caddyfile'].flatMap((file) =>
      [...read(`deploy/${file}`).matchAll(/^# {3}([A-Z0-9_]+)=/gm)].map(([, name]) => name!),
    ),
  ]
  expect(given.length).toBeGreaterThan(12)
  expect(given.filter((name) => !SETTINGS.has(name))).toEqual([])
})

test('compose hands every setting on but what the container fixes, and says which those are', () => {
  const handedOn = [...settingsOfCompose()].flatMap(([name, value]) =>
    new RegExp(`\\$\\{${name}:[-?][^}]*\\}$`).test(value) ? [name] : [],
  )
  expect([...handedOn, ...FIXED].toSorted()).toEqual([...SETTINGS].toSorted())
  const [head] = read('deploy/compose.yaml').split('name: wasla')
  for (const name of FIXED) expect(head).toMatch(new RegExp(`\\b${name}\\b`))
  // What nobody has set comes as an empty value.
  const empty = Object.fromEntries(handedOn.map((name) => [name, '']))
  expect(readConfig(empty, [], PROJECT)).toEqual(config)
})

test('compose trusts the bridge of its network, and what the operator adds to it', () => {
  const [from, range] = [settingsOfCompose().get('TRUSTED_PROXIES')!, '10.1.2.3/32']
  const trusted = (added: string) => {
    const TRUSTED_PROXIES = from.replace(/\$\{.*\}/, added)
    return readConfig({ TRUSTED_PROXIES }, [], PROJECT).trustedProxies
  }
  const bridge = `${/gateway: ([\d.]+)/.exec(rulesOf('deploy/compose.yaml'))![1]!}/32`
  expect(trusted('')).toEqual([bridge])
  expect(trusted(range)).toEqual([bridge, range])
})

test('what the tsconfig.json of the dashboard extends is copied before the dashboard is built', () => {
  const [before, after] = rulesOf('deploy/Dockerfile').split('RUN node scripts/build-dashboard.ts')
  expect(after).toBeDefined()
  const copied = [...before!.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, files]) =>
    files!.split(' '),
  )
  let file = 'src/dashboard/tsconfig.json'
  const needed = [file]
  for (;;) {
    const { extends: other } = JSON.parse(read(file)) as { extends?: string }
    if (other === undefined) break
    file = path.join(path.dirname(file), other)
    needed.push(file)
  }
  expect(needed).toContain('tsconfig.json')
  const missing = needed.filter(
    (one) => !copied.some((part) => one === part || one.startsWith(`${part}/`)),
  )
  expect(missing).toEqual([])
  const ignored = read('deploy/Dockerfile.dockerignore').trim().split('\n')
  expect(needed.filter((one) => ignored.includes(one))).toEqual([])
})

test('every path of the project that they name is there', () => {
  const dockerfile = rulesOf('deploy/Dockerfile')
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) =>
    files!.split(' '),
  )
  expect(copied.length).toBeGreaterThan(6)
  const named = [...dockerfile.matchAll(/\/app\/([\w/.-]+\.ts)/g)].map(([, file]) => file!)
  const programs = ['deploy/Dockerfile', 'deploy/wasla.service'].map(
    (file) => /(src\/main\.\w+)/.exec(rulesOf(file))![1]!,
  )
  for (const file of [...copied, ...named, ...programs]) {
    expect({ file, isThere: existsSync(path.join(PROJECT, file)) }).toEqual({ file, isThere: true })
  }
  // Whatever the service imports at run time is copied.
  for (const folder of ['src', 'scripts', 'migrations', 'examples'])
    expect(copied).toContain(folder)
  const mentioned = [...readdirSync(path.join(PROJECT, 'deploy'))].flatMap((file) =>
    [...read(`deploy/${file}`).matchAll(/deploy\/[\w.]+/g)].map(([name]) => name),
  )
  for (const name of mentioned) expect(existsSync(path.join(PROJECT, name))).toBe(true)
})

test('they lead to the port that the service listens on, and ask it what it answers', () => {
  const port = String(config.port)
  expect(rulesOf('deploy/Dockerfile')).toContain(`PORT=${port} `)
  expect(rulesOf('deploy/Dockerfile')).toContain(`EXPOSE ${port}`)
  expect(rulesOf('deploy/compose.yaml')).toContain(`127.0.0.1:${port}:${port}`)
  expect(rulesOf('deploy/nginx.conf')).toContain(`server 127.0.0.1:${port};`)
  expect(rulesOf('deploy/Caddyfile')).toContain(`reverse_proxy 127.0.0.1:${port} `)
  expect(rulesOf('deploy/Dockerfile')).toContain('/readyz')
  expect(rulesOf('deploy/Caddyfile')).toContain('health_uri /readyz')
  expect(read('src/http/server.ts')).toContain(`'/readyz'`)
  const live = /'(\/companies\/[^']+\/live)'/.exec(read('src/http/dashboard-api/live.ts'))![1]!
  const location = /location ~ (\S+) \{[^}]*proxy_buffering off/.exec(rulesOf('deploy/nginx.conf'))
  expect(`/api${live}`).toMatch(new RegExp(location![1]!))
})

test('the proxies let through what the service takes, and wait as long as it does', () => {
  const nginx = rulesOf('deploy/nginx.conf')
  const largest = Math.max(
    PROVIDER_LIMITS.webhookBytes,
    FILE_LIMITS.bytes,
    IMPORT_LIMITS.bytes,
    KNOWLEDGE_LIMITS.fileBytes,
  )
  expect(number(nginx, /client_max_body_size (\d+)m;/) * 1_048_576).toBeGreaterThan(largest)
  expect(number(rulesOf('deploy/Caddyfile'), /max_size (\d+)MB/) * 1_000_000).toBeGreaterThan(
    largest,
  )
  expect(number(nginx, /client_header_timeout (\d+)s;/) * SECOND_MS).toBe(HOOK_LIMITS.headersMs)
  expect(number(nginx, /client_body_timeout (\d+)s;/) * SECOND_MS).toBe(HOOK_LIMITS.requestMs)
  expect(nginx).toContain('proxy_next_upstream off;')
  // What a client claims about itself is replaced, not passed on.
  expect(nginx).toContain('X-Forwarded-For $remote_addr;')
  expect(rulesOf('deploy/Caddyfile')).toContain('header_up X-Forwarded-For {remote_host}')
})

test('browsers speak HTTP/2, for every tab keeps a stream open: by the words that every nginx knows', () => {
  const nginx = rulesOf('deploy/nginx.conf')
  const listens = [...nginx.matchAll(/listen (?:\[::\]:)?443 [^;]*;/g)].map(([line]) => line)
  expect(listens).toHaveLength(2)
  for (const line of listens) expect(line).toMatch(/ ssl http2;$/)
})

test('the service waits for the database itself, not for the server that its image makes it with', () => {
  expect(rulesOf('deploy/compose.yaml')).toMatch(/'pg_isready', '-h', '127\.0\.0\.1'/)
})

test('a hook over plain HTTP is refused by both proxies, all else is led to https', () => {
  const nginx = rulesOf('deploy/nginx.conf').split(/^server \{$/m)
  const plain = nginx.find((server) => /^ {2}listen 80;$/m.test(server))
  expect(plain).toMatch(/^ {2}location \/hooks \{ return 403; \}$/m)
  expect(plain).toMatch(/^ {2}location \/ \{ return 308 https:\/\/\$host\$request_uri; \}$/m)
  // Without a site of its own for http Caddy leads all of it on; a bare redir goes before any respond.
  const [, caddy] = rulesOf('deploy/Caddyfile').split(/^http:\/\/hooks\.example\.com \{$/m)
  const directives = (caddy ?? '').split('\n').flatMap((line) => line.trim() || [])
  expect(directives.join(' ')).toBe(
    'handle /hooks* { respond 403 } handle { redir https://{host}{uri} 308 } }',
  )
})

test('nothing runs as root, and a stop waits for what is under way', () => {
  const dockerfile = rulesOf('deploy/Dockerfile')
  expect(dockerfile).toMatch(/^USER wasla$/m)
  expect(dockerfile).toMatch(/^ENTRYPOINT \["node",/m)
  expect(dockerfile).toContain('STOPSIGNAL SIGTERM')
  expect(rulesOf('deploy/wasla.service')).toMatch(/^User=wasla$/m)
  const compose = rulesOf('deploy/compose.yaml')
  expect(compose).toContain('read_only: true')
  const longestMs = PROVIDER_LIMITS.sendMs + SECOND_MS
  expect(number(compose, /stop_grace_period: (\d+)s/) * SECOND_MS).toBeGreaterThan(longestMs)
  expect(
    number(rulesOf('deploy/wasla.service'), /TimeoutStopSec=(\d+)/) * SECOND_MS,
  ).toBeGreaterThan(longestMs)
})
