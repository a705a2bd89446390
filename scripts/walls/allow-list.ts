/**
 * Who may import whom, as an allow-list: a room or package that is not named here is refused. A room is
 * a folder of `src/`, or a file that lies in `src/` itself. ARCHITECTURE.md shows the same as a table,
 * made from this file.
 */
export type Wall = {
  /** Other rooms; `any` for the few that put everything together. */
  rooms: readonly string[] | 'any'
  /** Packages and modules of Node by their bare names: `node:fs` stands for `node:fs/promises` too. */
  packages: readonly string[] | 'any'
}

/** What any room but the plainest may import. */
export const PLAIN = ['limits', 'vocabulary', 'ids', 'context', 'clock', 'service-error'] as const
/** What the rooms of the business stand on. */
export const GROUND = [...PLAIN, 'rules', 'contract', 'database'] as const
/** The rooms of the business: each may import those before it. */
const BUSINESS = ['accounts', 'webhooks', 'channels', 'messaging', 'connections', 'flows'] as const
type Business = (typeof BUSINESS)[number]

function upTo(room: Business): string[] {
  return [...GROUND, ...BUSINESS.slice(0, BUSINESS.indexOf(room))]
}

const EVERYTHING: Wall = { rooms: 'any', packages: 'any' }

export const WALLS: Readonly<Record<string, Wall>> = {
  // Words, numbers and small things that know nothing of the business.
  vocabulary: { rooms: [], packages: [] },
  limits: { rooms: ['vocabulary'], packages: [] },
  clock: { rooms: [], packages: [] },
  ids: { rooms: ['clock'], packages: ['node:crypto'] },
  log: { rooms: ['clock', 'limits'], packages: ['pino'] },
  cidr: { rooms: [], packages: ['node:net'] },
  context: { rooms: ['clock', 'database', 'ids'], packages: ['pino'] },
  metrics: { rooms: ['vocabulary', 'limits'], packages: ['node:perf_hooks', 'prom-client'] },
  'service-error': { rooms: ['vocabulary'], packages: [] },

  // Decisions without effects, shapes, and the three doors outward.
  rules: { rooms: ['limits', 'vocabulary'], packages: ['libphonenumber-js'] },
  contract: { rooms: ['limits', 'vocabulary', 'rules'], packages: ['zod'] },
  database: {
    rooms: [],
    packages: [
      'kysely',
      'pg',
      'pino',
      'node:child_process',
      'node:crypto',
      'node:fs',
      'node:module',
      'node:os',
      'node:path',
      'node:timers',
      'node:util',
    ],
  },
  outbound: {
    rooms: [...PLAIN, 'rules'],
    packages: ['undici', 'node:dns', 'node:net', 'node:tls', 'node:stream', 'node:zlib'],
  },
  mail: { rooms: ['limits'], packages: ['nodemailer', 'node:tls'] },

  // The business, from the ground up.
  accounts: {
    rooms: upTo('accounts'),
    packages: ['kysely', '@node-rs/argon2', 'node:crypto', 'node:fs', 'node:path'],
  },
  webhooks: { rooms: [...upTo('webhooks'), 'outbound'], packages: ['kysely', 'node:crypto'] },
  channels: {
    rooms: upTo('channels'),
    packages: ['kysely', 'undici', 'node:crypto'],
  },
  messaging: {
    rooms: upTo('messaging'),
    packages: ['kysely', 'node:crypto', 'node:util'],
  },
  connections: {
    rooms: [...upTo('connections'), 'outbound'],
    packages: ['kysely', 'node:timers', 'node:util', 'node:zlib'],
  },
  flows: {
    rooms: upTo('flows'),
    packages: ['kysely'],
  },
  hooks: { rooms: [...GROUND, ...BUSINESS], packages: ['kysely', 'pg', 'node:crypto'] },
  inbound: { rooms: [...GROUND, ...BUSINESS], packages: ['kysely'] },

  // Who calls the rooms: requests and the clock.
  http: {
    rooms: [...GROUND, ...BUSINESS, 'hooks', 'inbound', 'outbound', 'metrics', 'mail', 'log'],
    packages: [
      'hono',
      '@hono/node-server',
      'zod',
      'pino',
      'node:crypto',
      'node:http',
      'node:net',
      'node:stream',
    ],
  },
  daemon: {
    rooms: [...GROUND, ...BUSINESS, 'hooks', 'outbound', 'metrics', 'mail'],
    packages: ['kysely', 'pino', 'node:timers'],
  },

  // Beside the service: a provider on loopback, and the shop of the first start.
  simulator: {
    rooms: [...PLAIN, 'channels'],
    packages: [
      'undici',
      'zod',
      'libphonenumber-js',
      'node:crypto',
      'node:fs',
      'node:http',
      'node:net',
      'node:path',
      'node:timers',
      'node:util',
    ],
  },

  // What puts everything together.
  settings: { rooms: [], packages: [] },
  'listen-fault': { rooms: [], packages: [] },
  config: {
    rooms: ['accounts', 'cidr', 'mail', 'settings'],
    packages: ['node:fs', 'node:net', 'node:path'],
  },
  demonstration: EVERYTHING,
  service: EVERYTHING,
  start: EVERYTHING,
  banner: EVERYTHING,
  main: EVERYTHING,
}
