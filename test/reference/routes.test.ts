/** The reference lists exactly the existing routes, with the roles that may use them. */
import { expect, test } from 'vitest'
import {
  FRESH_PASSWORD,
  type PasswordNeed,
} from '../../src/contract/dashboard/routes/fresh-password.ts'
import { assertAccessDeclared, type DeclaredRoute } from '../../src/http/dashboard-api/access.ts'
import { routeGroups } from '../../src/http/dashboard-api/app.ts'
import { readPages, tableOf, wordsIn } from './pages.ts'

const WHO = { 0: 'anybody', 1: 'Owner', 2: 'Owner, Admin', 3: 'every member' }

const inReference = (path: string): string =>
  path.replaceAll(/:(\w+)/g, '{$1}').replace(/^\/companies\/\{companyId\}\//, '…/')

const inCode = ({ method, path, access }: DeclaredRoute): string =>
  `${method} ${inReference(path)} ${WHO[access.roles.length as keyof typeof WHO]}`

const PASSWORDS = 'Fresh password'

test('every route is in the reference, with the roles that may use it', () => {
  const sections = [...readPages().get('API')!.sections.keys()].filter((one) => one !== PASSWORDS)
  const listed = sections.flatMap((section) =>
    tableOf('API', section).flatMap(([route, methods, who]) =>
      wordsIn(methods!).map((method) => `${method} ${wordsIn(route!)[0]!} ${who!}`),
    ),
  )
  expect(listed.toSorted()).toEqual(assertAccessDeclared(routeGroups).map(inCode).toSorted())
})

test('every route that asks for a fresh password is in the reference, with where and why', () => {
  const listed = tableOf('API', PASSWORDS).flatMap(([route, methods, where, why]) =>
    wordsIn(methods!).flatMap((method) =>
      (where === 'always' ? [where] : wordsIn(where!)).map(
        (field) => `${method} ${wordsIn(route!)[0]!} ${field} ${why!}`,
      ),
    ),
  )
  const inList = Object.entries(FRESH_PASSWORD).flatMap(([path, verbs]) =>
    Object.entries(verbs as Record<string, PasswordNeed>).flatMap(([verb, need]) =>
      Object.entries(typeof need === 'string' ? { always: need } : (need ?? {})).map(
        ([field, why]) => `${verb.toUpperCase()} ${inReference(path)} ${field} ${why}`,
      ),
    ),
  )
  expect(listed.toSorted()).toEqual(inList.toSorted())
})
