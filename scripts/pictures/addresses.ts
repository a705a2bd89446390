/**
 * The addresses of the dashboard's router, and those without a picture. They are read from the route files, because
 * loading the router renders the dashboard.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BEFORE_SIGN_IN, PAGES, type Pictured } from './pages.ts'
import type { SeededIds } from './seed-activity.ts'

const SOURCES = path.join(import.meta.dirname, '../../src/dashboard')
const ROUTE = /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: '([^']*)'/g
/** A page of a company: `page('leads', …)`. */
const PAGE = /\bpage\(\s*'([^']*)'/g
const COMPANY = '/p/$company'

/** Routes that redirect immediately, or contain other routes. */
const NOTHING_TO_SEE: readonly string[] = ['/', '/welcome']

/**
 * Returns the address of every page, such as `/p/$company/channels/$channel`.
 * @throws when a route is written in a form that `ROUTE` and `PAGE` do not match
 */
export function addressesOfRouter(): string[] {
  const all = new Set<string>()
  for (const file of globSync('*/{,*/}routes.{ts,tsx}', { cwd: SOURCES })) {
    if (file.startsWith('node_modules')) continue
    const text = readFileSync(path.join(SOURCES, file), 'utf8')
    const own = new Map([
      ['rootRoute', ''],
      ['companyRoute', COMPANY],
    ])
    const found = [...text.matchAll(ROUTE)]
    const pages = [...text.matchAll(PAGE)].map((match) => match[1]!)
    const isWhole =
      found.length === text.split('= createRoute(').length - 1 &&
      pages.length === text.split(/\bpage\(/).length - 1
    if (!isWhole)
      throw new Error(`${file} has a route that does not begin with its parent and path`)
    for (const below of pages) all.add(below === '/' ? COMPANY : `${COMPANY}/${below}`)
    for (const [, name, parent, below] of found) {
      const above = own.get(parent!)
      if (above === undefined) throw new Error(`${file}: ${parent} is not known`)
      const address = [above, below!.replaceAll(/^\/|\/$/g, '')].filter((part) => part !== '')
      own.set(name!, address.join('/').replace(/^(?!\/)/, '/'))
      all.add(own.get(name!)!)
    }
  }
  return [...all].filter((address) => !NOTHING_TO_SEE.includes(address)).toSorted()
}

/** A placeholder for the ids in an address. */
const ANY = ':any'
const anything = new Proxy({} as SeededIds, { get: () => ANY })

/** Returns the addresses that the pictures of a page show, with `:any` for ids. */
function shownBy({ path: below, isAtRoot = false, first, ofFirst = {} }: Pictured): string[] {
  const at = typeof below === 'string' ? below : below(anything)
  const root = isAtRoot ? '' : COMPANY
  const opened =
    first === undefined ? [] : [first.at, ...Object.values(ofFirst).map((more) => first.at + more)]
  return [at, ...opened].map((one) =>
    `${root}/${one}`.replace(/[?#].*$/, '').replace(/(?<=.)\/$/, ''),
  )
}

/** Returns the addresses of the pages without a picture. */
export function pagesWithoutPicture(): string[] {
  const shown = new Set([...BEFORE_SIGN_IN, ...PAGES].flatMap(shownBy))
  const all = addressesOfRouter()
  const isShown = (address: string) => {
    const pattern = new RegExp(`^${address.replaceAll(/\$\w+/g, '[^/]+')}$`)
    // A literal address does not match another route's parameter.
    return [...shown].some((one) => one === address || (pattern.test(one) && !all.includes(one)))
  }
  return all.filter((address) => !isShown(address))
}
