/** Import boundaries between modules hold: an import that is planted on the wrong side is found. */
import { describe, expect, test } from 'vitest'
import { findViolations } from '../../scripts/boundaries/find-violations.ts'

/** The planted import, the module of its file, and the message. */
const planted: [string, string, string, string][] = [
  ['a module above', 'rules', `import { a } from '../flows/a.ts'`, 'imports flows'],
  ['a type of a module above', 'contract', `import type { A } from '../hooks/a.ts'`, 'hooks'],
  ['exports of one, passed on', 'deliveries', `export * from '../flows/a.ts'`, 'flows'],
  ['a type in an expression', 'rules', `let a: import('../http/a.ts').A`, 'imports http'],
  ['a module loaded later', 'workers', `await import('../http/a.ts')`, 'imports http'],
  ['a module whose name is computed', 'flows', 'await import(`../${"http"}/a.ts`)', 'run time'],
  ['a socket of its own', 'flows', `import http from 'node:http'`, 'imports node:http'],
  ['the same without its prefix', 'flows', `import net from 'net'`, 'imports net'],
  ['a part of a package', 'rules', `import { x } from 'undici/lib/x.js'`, 'imports undici'],
  ['one with a scope', 'mail', `import x from '@hono/node-server/y'`, '@hono/node-server'],
  ['a package that nobody named', 'http', `import _ from 'lodash'`, 'imports lodash'],
  ['require', 'rules', `const fs = require('fs')`, 'uses require'],
  ['a require that was made', 'http', `process.getBuiltinModule('fs')`, 'getBuiltinModule'],
  ['the time of the machine', 'flows', 'const at = new Date()', 'uses new Date()'],
  ['the same by its other name', 'flows', 'const at = Date.now()', 'uses Date.now'],
  ['chance', 'deliveries', 'const a = Math.random()', 'uses Math.random'],
  ['the demonstration', 'http', `import { a } from '../../demonstration/index.ts'`, 'not of the'],
  ['a simulator', 'channels', `import { a } from '../../simulators/index.ts'`, 'not of the'],
  ['a test of the service', 'flows', `import { a } from '../../test/a.ts'`, 'not of the service'],
  ['a module without a name', 'misc', `export const a = 1`, 'misc is not named'],
  ['one named as a part of objects', 'constructor', `export const a = 1`, 'not named'],
]

describe('Refused is', () => {
  test.each(planted)('%s', (_what, module, text, said) => {
    const violations = findViolations([{ file: `src/${module}/x.ts`, text }])
    expect(violations).toHaveLength(1)
    expect(violations[0]).toContain(said)
  })
})

describe('Outside of the service, refused is', () => {
  test.each([
    ['the service, to a simulator', 'simulators/v/x.ts', '../../src/core/clock.ts', 'no module'],
    ['the demonstration, to a simulator', 'simulators/x.ts', '../demonstration/index.ts', 'not of'],
    ['the inside of a simulator', 'demonstration/x.ts', '../simulators/voice/y.ts', 'its index.ts'],
    ['the inside of the demonstration', 'src/start.ts', '../demonstration/y.ts', 'its index.ts'],
  ])('%s', (_what, file, from, said) => {
    const violations = findViolations([{ file, text: `import { a } from '${from}'` }])
    expect(violations).toHaveLength(1)
    expect(violations[0]).toContain(said)
  })
})

describe('Let through is', () => {
  test.each([
    ['a room below', 'src/modules/flows/x.ts', `import { a } from '../rules/a.ts'`],
    ['the own room', 'src/modules/flows/deep/x.ts', `import { a } from '../a.ts'`],
    ['a package of the room', 'src/modules/flows/x.ts', `import { sql } from 'kysely'`],
    [
      'a part of a module of Node',
      'src/infra/secrets/x.ts',
      `import { a } from 'node:fs/promises'`,
    ],
    ['a time that is given', 'src/modules/flows/x.ts', 'const at = new Date(0)'],
    ['a simulator', 'demonstration/x.ts', `import { a } from '../simulators/index.ts'`],
    ['the demonstration', 'src/start.ts', `await import('../demonstration/index.ts')`],
    [
      'everything, where all is put together',
      'src/app/create-service.ts',
      `import a from './http/a.ts'`,
    ],
  ])('%s', (_what, file, text) => {
    expect(findViolations([{ file, text }])).toEqual([])
  })
})
