/** The routes that the reference lists are those that there are, with who may use them. */
import { expect, test } from 'vitest'
import { assertAccessDeclared, type DeclaredRoute } from '../../src/http/dashboard-api/access.ts'
import { nouns } from '../../src/http/dashboard-api/app.ts'
import { readPages, tableOf, wordsIn } from './pages.ts'

const WHO = { 0: 'anybody', 1: 'Owner', 2: 'Owner, Admin', 3: 'every member' }

const inCode = ({ method, path, access }: DeclaredRoute): string => {
  const route = path.replaceAll(/:(\w+)/g, '{$1}').replace(/^\/companies\/\{companyId\}\//, '…/')
  return `${method} ${route} ${WHO[access.roles.length as keyof typeof WHO]}`
}

test('every route stands in the reference, with who may use it', () => {
  const sections = [...readPages().get('API')!.sections.keys()]
  const listed = sections.flatMap((section) =>
    tableOf('API', section).flatMap(([route, methods, who]) =>
      wordsIn(methods!).map((method) => `${method} ${wordsIn(route!)[0]!} ${who!}`),
    ),
  )
  expect(listed.toSorted()).toEqual(assertAccessDeclared(nouns).map(inCode).toSorted())
})
