/**
 * Who may import whom, as an allow-list: a room or package that is not named here is refused. A room is
 * a folder of `src/`, a file that lies in `src/` itself, or one of the programs beside `src/`. ARCHITECTURE.md
 * shows the same as a list, made from this file.
 */
export type Wall = {
  /** Other rooms of `src/`; `any` for the few that put everything together. */
  rooms: readonly string[] | 'any'
  /** Programs beside `src/`, each of which is entered by its `index.ts` alone. */
  programs?: readonly Program[]
  /** Packages and modules of Node by their bare names: `node:fs` stands for `node:fs/promises` too. */
  packages: readonly string[] | 'any'
}

/** What any room but the plainest may import. */
export const PLAIN = [
  'limits',
  'vocabulary',
  'facts',
  'ids',
  'context',
  'clock',
  'service-error',
] as const
/** What the rooms of the business stand on. */
export const GROUND = [...PLAIN, 'rules', 'schemas', 'contract', 'database'] as const
/** The rooms of the business: each may import those before it. */
export const BUSINESS = [
  'live',
  'secrets',
  'accounts',
  'notices',
  'events',
  'endpoints',
  'deliveries',
  'files',
  'channels',
  'messaging',
  'leads',
  'appointments',
  'connections',
  'models',
  'knowledge',
  'flows',
  'identity',
  'assistant',
  'contacts',
  'broadcasts',
  'inbox',
  'visitors',
] as const
type Business = (typeof BUSINESS)[number]

function upTo(room: Business): string[] {
  return [...GROUND, ...BUSINESS.slice(0, BUSINESS.indexOf(room))]
}

/** Folders beside `src/` that are walled in as its rooms are. */
export const PROGRAMS = ['simulators', 'demonstration'] as const
type Program = (typeof PROGRAMS)[number]

const EVERYTHING: Wall = { rooms: 'any', packages: 'any' }

export const WALLS: Readonly<Record<string, Wall>> = {
  // Words, numbers and small things that know nothing of the business.
  vocabulary: { rooms: [], packages: [] },
  limits: { rooms: ['vocabulary'], packages: [] },
  facts: { rooms: ['vocabulary'], packages: [] },
  clock: { rooms: [], packages: [] },
  ids: { rooms: ['clock'], packages: ['node:crypto'] },
  log: { rooms: ['clock', 'limits'], packages: ['pino'] },
  cidr: { rooms: [], packages: ['node:net'] },
  'stop-signals': { rooms: [], packages: [] },
  context: { rooms: ['clock', 'database', 'ids'], packages: ['pino'] },
  metrics: { rooms: ['vocabulary', 'limits'], packages: ['node:perf_hooks', 'prom-client'] },
  'service-error': { rooms: ['vocabulary', 'facts'], packages: [] },

  // Decisions without effects, shapes, and the three doors outward.
  rules: { rooms: ['limits', 'vocabulary', 'facts'], packages: ['libphonenumber-js'] },
  redaction: { rooms: ['limits', 'rules'], packages: ['node:zlib'] },
  // What several schemas are made of, and what a flow is made of: schemas, and pure decisions beside them.
  schemas: { rooms: ['limits', 'vocabulary', 'facts', 'rules'], packages: ['zod'] },
  'flow-kinds': {
    rooms: ['limits', 'vocabulary', 'facts', 'rules', 'schemas'],
    packages: ['zod'],
  },
  contract: {
    rooms: ['limits', 'vocabulary', 'facts', 'rules', 'schemas', 'flow-kinds'],
    packages: ['zod'],
  },
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
      'node:net',
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
  words: { rooms: ['limits', 'vocabulary', 'facts', 'contract'], packages: [] },
  mail: { rooms: ['limits'], packages: ['nodemailer', 'node:tls'] },

  // The business, from the ground up.
  live: { rooms: upTo('live'), packages: ['kysely'] },
  secrets: {
    rooms: upTo('secrets'),
    packages: ['kysely', 'node:crypto', 'node:fs', 'node:path'],
  },
  accounts: {
    rooms: [...upTo('accounts'), 'words'],
    packages: ['kysely', '@node-rs/argon2', 'node:crypto'],
  },
  notices: { rooms: [...upTo('notices'), 'words'], packages: ['kysely'] },
  events: { rooms: upTo('events'), packages: ['kysely', 'pg', 'node:crypto'] },
  endpoints: { rooms: [...upTo('endpoints'), 'outbound'], packages: ['kysely', 'node:crypto'] },
  deliveries: { rooms: [...upTo('deliveries'), 'outbound'], packages: ['kysely', 'node:crypto'] },
  files: {
    rooms: upTo('files'),
    packages: [
      'kysely',
      'undici',
      'aws4fetch',
      'node:crypto',
      'node:fs',
      'node:path',
      'node:stream',
      'node:worker_threads',
    ],
  },
  channels: {
    rooms: [...upTo('channels'), 'redaction'],
    packages: ['kysely', 'undici', 'zod', 'node:crypto', 'node:http', 'node:stream', 'node:util'],
  },
  messaging: {
    rooms: upTo('messaging'),
    packages: ['kysely', 'node:crypto', 'node:util'],
  },
  leads: { rooms: upTo('leads'), packages: ['kysely'] },
  identity: { rooms: upTo('identity'), packages: ['kysely', 'node:util'] },
  appointments: {
    rooms: upTo('appointments'),
    packages: ['kysely', 'node:crypto', 'node:timers'],
  },
  connections: {
    rooms: [...upTo('connections'), 'outbound', 'redaction'],
    packages: ['kysely', 'node:timers', 'node:util', 'node:zlib'],
  },
  models: {
    rooms: [...upTo('models'), 'outbound'],
    packages: [
      'kysely',
      'undici',
      'zod',
      '@ai-sdk/provider',
      '@ai-sdk/openai',
      '@ai-sdk/openai-compatible',
      '@ai-sdk/anthropic',
      'node:timers',
    ],
  },
  knowledge: {
    rooms: [...upTo('knowledge'), 'outbound'],
    packages: [
      'kysely',
      'unpdf',
      'mammoth',
      'htmlparser2',
      'csv-parse',
      'node:crypto',
      'node:util',
      'node:worker_threads',
      'node:zlib',
    ],
  },
  assistant: {
    rooms: upTo('assistant'),
    packages: ['kysely', 'zod', 'node:crypto', 'node:timers'],
  },
  flows: {
    rooms: [...upTo('flows'), 'flow-kinds'],
    packages: ['kysely'],
  },
  visitors: { rooms: upTo('visitors'), packages: ['kysely'] },
  contacts: {
    rooms: upTo('contacts'),
    packages: ['kysely', 'csv-parse', 'hucre', 'node:buffer', 'node:worker_threads'],
  },
  broadcasts: { rooms: upTo('broadcasts'), packages: ['kysely'] },
  inbox: { rooms: upTo('inbox'), packages: ['kysely'] },
  hooks: {
    rooms: [...GROUND, ...BUSINESS, 'flow-kinds', 'words'],
    packages: ['kysely', 'pg', 'node:crypto'],
  },
  // What is told of several rooms at once, and changes nothing.
  overview: { rooms: [...GROUND, ...BUSINESS], packages: ['kysely'] },
  inbound: { rooms: [...GROUND, ...BUSINESS, 'flow-kinds'], packages: ['kysely'] },

  // The browser's side as it is built and held, apart from what is in it.
  'dashboard-build': {
    rooms: [],
    packages: [
      'pino',
      'node:child_process',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:os',
      'node:path',
    ],
  },

  // Who calls the rooms: requests and the clock.
  widget: { rooms: [], packages: ['node:crypto', 'node:fs', 'node:path', 'node:zlib'] },
  http: {
    rooms: [
      ...GROUND,
      ...BUSINESS,
      'dashboard-build',
      'listen-fault',
      'words',
      'widget',
      'hooks',
      'inbound',
      'overview',
      'outbound',
      'metrics',
      'mail',
      'log',
    ],
    packages: [
      'hono',
      '@hono/node-server',
      'zod',
      'pino',
      'node:crypto',
      'node:http',
      'node:net',
      'node:stream',
      'node:timers',
    ],
  },
  daemon: {
    rooms: [...GROUND, ...BUSINESS, 'words', 'hooks', 'inbound', 'outbound', 'metrics', 'mail'],
    packages: ['kysely', 'pino', 'node:timers'],
  },

  // In the browser: a client of the public shape of the API, which shares words, numbers, rules and shapes.
  dashboard: {
    rooms: ['limits', 'vocabulary', 'facts', 'rules', 'contract'],
    packages: [
      'react',
      'react-dom',
      '@mantine/core',
      '@mantine/hooks',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@xyflow/react',
      '@fontsource-variable/inter',
      '@fontsource/ibm-plex-mono',
      '@fontsource/ibm-plex-sans-arabic',
      '@vitejs/plugin-react',
      'react-hook-form',
      'uqr',
      'vite',
      'zod',
      'node:path',
    ],
  },

  // Beside the service: providers played on loopback, which know nothing of it, and the shop of the first start.
  simulators: {
    rooms: [],
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
    rooms: ['secrets', 'cidr', 'files', 'mail', 'models', 'settings', 'vocabulary', 'database'],
    packages: ['node:fs', 'node:net', 'node:path'],
  },
  demonstration: { ...EVERYTHING, programs: ['simulators'] },
  service: EVERYTHING,
  wiring: EVERYTHING,
  'service-types': EVERYTHING,
  start: { ...EVERYTHING, programs: ['demonstration'] },
  banner: EVERYTHING,
  main: EVERYTHING,
}
