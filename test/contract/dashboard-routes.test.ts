/**
 * The table of the dashboard's API names exactly the routes of the service. The compiler checks what a route takes and
 * answers (`src/http/dashboard-api/routes.ts`), but only the running service can show that none is missing.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parseSync, type TSInterfaceDeclaration } from 'oxc-parser'
import { expect, test } from 'vitest'
import { assertAccessDeclared } from '../../src/http/dashboard-api/access.ts'
import { routeGroups } from '../../src/http/dashboard-api/app.ts'

const FOLDER = new URL('../../src/contract/dashboard/', import.meta.url)

const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })

const INTERFACES = FILES.filter((file) => file.endsWith('.ts')).flatMap((file) => {
  const { program } = parseSync(file, readFileSync(new URL(file, FOLDER), 'utf8'))
  return program.body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' &&
    statement.declaration?.type === 'TSInterfaceDeclaration'
      ? [statement.declaration]
      : [],
  )
})

/** Returns the names of a type's properties, with the type of each. */
const propertiesOf = (type: { type: string }) =>
  (type.type === 'TSInterfaceBody'
    ? (type as TSInterfaceDeclaration['body']).body
    : (type as { members: TSInterfaceDeclaration['body']['body'] } & typeof type).members
  ).flatMap((member) => {
    if (member.type !== 'TSPropertySignature' || !member.typeAnnotation) return []
    const { key } = member
    const name =
      key.type === 'Literal' ? String(key.value) : key.type === 'Identifier' ? key.name : ''
    return [[name, member.typeAnnotation.typeAnnotation] as const]
  })

test('the table names every route of the service once, and no other', () => {
  const whole = INTERFACES.find(({ id }) => id.name === 'DashboardRoutes')!
  const parts = whole.extends.map(({ expression }) =>
    expression.type === 'Identifier' ? expression.name : '',
  )
  const named = INTERFACES.filter(({ id }) => parts.includes(id.name)).flatMap(({ body }) =>
    propertiesOf(body).flatMap(([path, verbs]) =>
      propertiesOf(verbs).map(([verb]) => `${verb.toUpperCase()} ${path}`),
    ),
  )
  const served = assertAccessDeclared(routeGroups).map(({ method, path }) => `${method} ${path}`)
  expect(named.toSorted()).toEqual(served.toSorted())
})
