/**
 * `npm run check`: no room imports what the allow-list does not name, and ARCHITECTURE.md shows the
 * list as it is. With `--write` that page is brought up to date first.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findBreaches } from './walls/find-breaches.ts'
import { listSources } from './walls/list-sources.ts'
import { withWalls } from './walls/write-walls.ts'

const project = path.join(import.meta.dirname, '..')
const pagePath = path.join(project, 'ARCHITECTURE.md')
const page = readFileSync(pagePath, 'utf8')
const isStale = withWalls(page) !== page
if (isStale && process.argv.includes('--write')) writeFileSync(pagePath, withWalls(page))
else if (isStale) {
  console.error('ARCHITECTURE.md does not show the walls as they are: npm run generate')
  process.exitCode = 1
}

const breaches = findBreaches(listSources(project))
for (const breach of breaches) console.error(breach)
if (breaches.length > 0) process.exitCode = 1
