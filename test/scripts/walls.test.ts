/** The walls between the rooms hold: what is planted on the wrong side is found. */
import { describe, expect, test } from 'vitest'
import { findBreaches } from '../../scripts/walls/find-breaches.ts'

const planted: [string, string, string, string][] = [
  ['a room above', 'src/rules/x.ts', `import { a } from '../flows/a.ts'`, 'imports flows'],
  [
    'a type of a room above',
    'src/contract/x.ts',
    `import type { A } from '../hooks/a.ts'`,
    'hooks',
  ],
  [
    'what a room above exports, passed on',
    'src/deliveries/x.ts',
    `export * from '../flows/a.ts'`,
    'flows',
  ],
  [
    'a type within an expression',
    'src/rules/x.ts',
    `let a: import('../http/a.ts').A`,
    'imports http',
  ],
  ['a room loaded later', 'src/daemon/x.ts', `await import('../http/a.ts')`, 'imports http'],
  [
    'a room whose name is made up',
    'src/flows/x.ts',
    'await import(`../${"http"}/a.ts`)',
    'run time',
  ],
  ['a socket of its own', 'src/flows/x.ts', `import http from 'node:http'`, 'imports node:http'],
  ['the same without its prefix', 'src/flows/x.ts', `import net from 'net'`, 'imports net'],
  [
    'a part of a package',
    'src/rules/x.ts',
    `import { x } from 'undici/lib/x.js'`,
    'imports undici',
  ],
  [
    'a package with a scope',
    'src/mail/x.ts',
    `import x from '@hono/node-server/y'`,
    '@hono/node-server',
  ],
  ['a package that nobody named', 'src/http/x.ts', `import _ from 'lodash'`, 'imports lodash'],
  ['require', 'src/rules/x.ts', `const fs = require('fs')`, 'uses require'],
  [
    'a require that was made',
    'src/http/x.ts',
    `process.getBuiltinModule('fs')`,
    'getBuiltinModule',
  ],
  ['the time of the machine', 'src/flows/x.ts', 'const at = new Date()', 'uses new Date()'],
  ['the same by its other name', 'src/flows/x.ts', 'const at = Date.now()', 'uses Date.now'],
  ['chance', 'src/deliveries/x.ts', 'const a = Math.random()', 'uses Math.random'],
  [
    'a test of the service',
    'src/flows/x.ts',
    `import { a } from '../../test/a.ts'`,
    'not of the service',
  ],
  ['a room without a name', 'src/misc/x.ts', `export const a = 1`, 'misc is not named'],
  [
    'a room named as a part of every object',
    'src/constructor/x.ts',
    `export const a = 1`,
    'not named',
  ],
]

describe('Refused is', () => {
  test.each(planted)('%s', (_what, file, text, said) => {
    const breaches = findBreaches([{ file, text }])
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
    ['everything, where all is put together', 'src/service.ts', `import a from './http/a.ts'`],
  ])('%s', (_what, file, text) => {
    expect(findBreaches([{ file, text }])).toEqual([])
  })
})
