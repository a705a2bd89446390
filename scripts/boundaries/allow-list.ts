/**
 * The allow-list of imports: a module or package that is not listed here is refused. A module is a folder or file of
 * `src/` or of one of its groups (`app`, `core`, `infra`, `modules`), or one of the programs next to `src/`.
 */
/** The modules, programs and packages that one module may import. */
export type Boundary = {
  /** Other modules of `src/`; `any` for the few that put everything together. */
  modules: readonly string[] | 'any'
  /** Programs outside of `src/`, each of which is imported only through its `index.ts`. */
  programs?: readonly Program[]
  /** Packages and modules of Node by their bare names: `node:fs` stands for `node:fs/promises` too. */
  packages: readonly string[] | 'any'
}

/** Modules that any module but the lowest ones may import. */
export const CORE = [
  'limits',
  'vocabulary',
  'words',
  'facts',
  'ids',
  'context',
  'clock',
  'service-error',
] as const
/** Modules that all feature modules build on. */
export const FOUNDATION = [...CORE, 'rules', 'schemas', 'contract', 'database'] as const
/** Feature modules: each may import those before it. */
export const FEATURES = [
  'live-updates',
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
type Feature = (typeof FEATURES)[number]

function upTo(module: Feature): string[] {
  return [...FOUNDATION, ...FEATURES.slice(0, FEATURES.indexOf(module))]
}

/** Folders outside of `src/` with import rules like those of its modules. */
export const PROGRAMS = ['simulators', 'demonstration'] as const
type Program = (typeof PROGRAMS)[number]

const EVERYTHING: Boundary = { modules: 'any', packages: 'any' }

/** The imports that each module may have, by the module's name. */
export const BOUNDARIES: Readonly<Record<string, Boundary>> = {
  // Vocabulary, limits and small utilities without business logic.
  vocabulary: { modules: [], packages: [] },
  limits: { modules: ['vocabulary'], packages: [] },
  facts: { modules: ['vocabulary'], packages: [] },
  words: { modules: ['vocabulary'], packages: [] },
  clock: { modules: [], packages: [] },
  ids: { modules: ['clock'], packages: ['node:crypto'] },
  log: { modules: ['clock', 'limits'], packages: ['pino'] },
  cidr: { modules: [], packages: ['node:net'] },
  'stop-signals': { modules: [], packages: [] },
  'worker-priority': { modules: [], packages: ['node:os'] },
  context: { modules: ['clock', 'database', 'ids'], packages: ['pino'] },
  metrics: { modules: ['vocabulary', 'limits'], packages: ['node:perf_hooks', 'prom-client'] },
  'service-error': { modules: ['vocabulary', 'facts'], packages: [] },

  // Decisions without effects, schemas, and the three outbound clients.
  rules: { modules: ['limits', 'vocabulary', 'words', 'facts'], packages: ['libphonenumber-js'] },
  redaction: { modules: ['limits', 'rules'], packages: ['node:zlib'] },
  // Shared schemas, and the schemas of a flow with their pure decisions.
  schemas: { modules: ['limits', 'vocabulary', 'facts', 'rules'], packages: ['zod'] },
  'flow-kinds': {
    modules: ['limits', 'vocabulary', 'facts', 'rules', 'schemas'],
    packages: ['zod'],
  },
  contract: {
    modules: ['limits', 'vocabulary', 'facts', 'rules', 'schemas', 'flow-kinds'],
    packages: ['zod'],
  },
  database: {
    modules: [],
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
  egress: {
    modules: [...CORE, 'rules'],
    packages: ['undici', 'node:dns', 'node:net', 'node:tls', 'node:stream', 'node:zlib'],
  },
  i18n: { modules: ['limits', 'vocabulary', 'words', 'facts', 'contract'], packages: [] },
  mail: { modules: ['limits'], packages: ['nodemailer', 'node:tls', 'node:url'] },

  // The business, from the ground up.
  'live-updates': { modules: upTo('live-updates'), packages: ['kysely'] },
  secrets: {
    modules: upTo('secrets'),
    packages: ['kysely', 'node:crypto', 'node:fs', 'node:path'],
  },
  accounts: {
    modules: [...upTo('accounts'), 'i18n'],
    packages: ['kysely', '@node-rs/argon2', 'node:crypto'],
  },
  notices: { modules: [...upTo('notices'), 'i18n'], packages: ['kysely'] },
  events: { modules: upTo('events'), packages: ['kysely', 'pg', 'node:crypto'] },
  endpoints: { modules: [...upTo('endpoints'), 'egress'], packages: ['kysely', 'node:crypto'] },
  deliveries: { modules: [...upTo('deliveries'), 'egress'], packages: ['kysely', 'node:crypto'] },
  files: {
    modules: upTo('files'),
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
    modules: [...upTo('channels'), 'redaction'],
    packages: ['kysely', 'undici', 'zod', 'node:crypto', 'node:http', 'node:stream', 'node:util'],
  },
  messaging: {
    modules: upTo('messaging'),
    packages: ['kysely', 'node:crypto', 'node:util'],
  },
  leads: { modules: upTo('leads'), packages: ['kysely'] },
  identity: { modules: upTo('identity'), packages: ['kysely', 'node:util'] },
  appointments: {
    modules: upTo('appointments'),
    packages: ['kysely', 'node:crypto', 'node:timers'],
  },
  connections: {
    modules: [...upTo('connections'), 'egress', 'redaction'],
    packages: ['kysely', 'node:timers', 'node:util', 'node:zlib'],
  },
  models: {
    modules: [...upTo('models'), 'egress'],
    packages: [
      'kysely',
      'undici',
      'zod',
      '@ai-sdk/provider',
      '@ai-sdk/openai',
      '@ai-sdk/openai-compatible',
      '@ai-sdk/anthropic',
      'node:crypto',
      'node:timers',
    ],
  },
  knowledge: {
    modules: [...upTo('knowledge'), 'egress'],
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
    modules: upTo('assistant'),
    packages: ['kysely', 'zod', 'node:crypto', 'node:timers'],
  },
  flows: {
    modules: [...upTo('flows'), 'flow-kinds'],
    packages: ['kysely'],
  },
  visitors: { modules: upTo('visitors'), packages: ['kysely'] },
  contacts: {
    modules: upTo('contacts'),
    packages: ['kysely', 'csv-parse', 'hucre', 'node:buffer', 'node:worker_threads'],
  },
  broadcasts: { modules: upTo('broadcasts'), packages: ['kysely'] },
  inbox: { modules: upTo('inbox'), packages: ['kysely'] },
  hooks: {
    modules: [...FOUNDATION, ...FEATURES, 'flow-kinds', 'i18n'],
    packages: ['kysely', 'pg', 'node:crypto'],
  },
  // Read-only views over several modules.
  overview: { modules: [...FOUNDATION, ...FEATURES], packages: ['kysely'] },
  inbound: { modules: [...FOUNDATION, ...FEATURES, 'flow-kinds'], packages: ['kysely'] },

  // The build of the dashboard, independent of its contents.
  'dashboard-build': {
    modules: [],
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

  // Entry points: requests, and the workers' clock.
  widget: { modules: [], packages: ['node:crypto', 'node:fs', 'node:path', 'node:zlib'] },
  http: {
    modules: [
      ...FOUNDATION,
      ...FEATURES,
      'dashboard-build',
      'listen-errors',
      'i18n',
      'widget',
      'hooks',
      'inbound',
      'overview',
      'egress',
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
  workers: {
    modules: [...FOUNDATION, ...FEATURES, 'i18n', 'hooks', 'inbound', 'egress', 'metrics', 'mail'],
    packages: ['kysely', 'pino', 'node:timers'],
  },

  // In the browser: a client of the public shape of the API, which shares words, numbers, rules and shapes.
  dashboard: {
    modules: ['limits', 'vocabulary', 'words', 'facts', 'rules', 'contract'],
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

  // Programs outside of the service: simulated providers on loopback, and the shop of the first start.
  simulators: {
    modules: [],
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

  // Modules that connect everything.
  settings: { modules: [], packages: [] },
  'listen-errors': { modules: [], packages: [] },
  'setting-reader': { modules: ['cidr', 'settings'], packages: [] },
  config: {
    modules: [
      'setting-reader',
      'secrets',
      'cidr',
      'ids',
      'files',
      'mail',
      'models',
      'settings',
      'vocabulary',
      'database',
    ],
    packages: ['node:fs', 'node:net', 'node:path'],
  },
  demonstration: { ...EVERYTHING, programs: ['simulators'] },
  'create-service': EVERYTHING,
  wiring: EVERYTHING,
  'service-types': EVERYTHING,
  start: { ...EVERYTHING, programs: ['demonstration'] },
  banner: EVERYTHING,
  main: EVERYTHING,
}
