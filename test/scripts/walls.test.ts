/** The walls between the rooms hold: what is planted on the wrong side is found. */
import { describe, expect, test } from 'vitest'
import { findBreaches } from '../../scripts/walls/find-breaches.ts'

/** What is planted, the room in whose file it is, and what is said of it. */
const planted: [string, string, string, string][] = [
  ['a room above', 'rules', `import { a } from '../flows/a.ts'`, 'imports flows'],
  ['a type of a room above', 'contract', `import type { A } from '../hooks/a.ts'`, 'hooks'],
  ['exports of one, passed on', 'deliveries', `export * from '../flows/a.ts'`, 'flows'],
  ['a type in an expression', 'rules', `let a: import('../http/a.ts').A`, 'imports http'],
  ['a room loaded later', 'daemon', `await import('../http/a.ts')`, 'imports http'],
  ['a room whose name is made up', 'flows', 'await import(`../${"http"}/a.ts`)', 'run time'],
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
  ['a room without a name', 'misc', `export const a = 1`, 'misc is not named'],
  ['one named as a part of objects', 'constructor', `export const a = 1`, 'not named'],
]

describe('Refused is', () => {
  test.each(planted)('%s', (_what, room, text, said) => {
    const breaches = findBreaches([{ file: `src/${room}/x.ts`, text }])
    expect(breaches).toHaveLength(1)
    expect(breaches[0]).toContain(said)
  })
})

describe('Beside the service, refused is', () => {
  test.each([
    ['the service, to a simulator', 'simulators/voice/x.ts', '../../src/clock.ts', 'no room'],
    ['the demonstration, to a simulator', 'simulators/x.ts', '../demonstration/index.ts', 'not of'],
    ['the inside of a simulator', 'demonstration/x.ts', '../simulators/voice/y.ts', 'its index.ts'],
    ['the inside of the demonstration', 'src/start.ts', '../demonstration/y.ts', 'its index.ts'],
  ])('%s', (_what, file, from, said) => {
    const breaches = findBreaches([{ file, text: `import { a } from '${from}'` }])
    expect(breaches).toHaveLength(1)
    expect(breaches[0]).toContain(said)
  })
})

describe('Let through is', () => {
  test.each([
    ['a room below', 'src/flows/x.ts', `import { a } from '../rules/a.ts'`],
    ['the own room', 'src/flows/deep/x.ts', `import { a } from '../a.ts'`],
    ['a package of the room', 'src/flows/x.ts', `import { sql } from 'kysely'`],
    ['a part of a module of Node', 'src/secrets/x.ts', `import { a } from 'node:fs/promises'`],
    ['a time that is given', 'src/flows/x.ts', 'const at = new Date(0)'],
    ['a simulator', 'demonstration/x.ts', `import { a } from '../simulators/index.ts'`],
    ['the demonstration', 'src/start.ts', `await import('../demonstration/index.ts')`],
    ['everything, where all is put together', 'src/service.ts', `import a from './http/a.ts'`],
  ])('%s', (_what, file, text) => {
    expect(findBreaches([{ file, text }])).toEqual([])
  })
})
