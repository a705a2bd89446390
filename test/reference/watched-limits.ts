/** The limits that a table of the test has read. */
const told = new Set<string>()
export const isTold = (limit: string): boolean => told.has(limit)

/** Returns the constants of a file; each read of a limit is recorded. */
export function watched<Module extends object>(module: Module): Module {
  const tables = Object.entries(module).map(([name, table]: [string, unknown]) => [
    name,
    typeof table === 'object' && table !== null ? watchedTable(name, table) : table,
  ])
  return Object.fromEntries(tables) as Module
}

function watchedTable(name: string, table: object): object {
  return new Proxy(table, {
    get(target, key) {
      told.add(`${name}.${String(key)}`)
      return Reflect.get(target, key) as unknown
    },
  })
}
