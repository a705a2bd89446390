/**
 * `npm run check`: no room imports what the allow-list does not name, and ARCHITECTURE.md shows the
 * list as it is. With `--write` that page is brought up to date first.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findBreaches } from './walls/find-breaches.ts'
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

const files = globSync('{src,simulators,demonstration}/**/*.{ts,tsx}', {
  cwd: project,
  exclude: ['**/node_modules/**', 'simulators/test/**'],
})
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => !/\.test\.tsx?$/.test(file) && file !== 'src/database/tables.ts')
const sources = files.map((file) => ({
  file,
  text: readFileSync(path.join(project, file), 'utf8'),
}))
const breaches = findBreaches(sources)
for (const breach of breaches) console.error(breach)
if (breaches.length > 0) process.exitCode = 1
