/**
 * `npm run check`: what a browser loads of the dashboard stays within its budget, and the packages that
 * must fit each other are of one version. Reads the build that is there; prints the sizes.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { placesOf, PROJECT } from '../src/dashboard-build/places.ts'
import { measureBuild } from './dashboard/measure-build.ts'

const places = placesOf(PROJECT)
const problems: string[] = []

const { dependencies } = JSON.parse(
  readFileSync(path.join(places.sources, 'package.json'), 'utf8'),
) as { dependencies: Record<string, string> }
const mantine = Object.entries(dependencies).filter(([name]) => name.startsWith('@mantine/'))
if (new Set(mantine.map(([, version]) => version)).size !== 1) {
  problems.push(
    `The packages @mantine/* must all be of one exact version, and are ${mantine.map(([name, version]) => `${name} ${version}`).join(', ')}.`,
  )
}

const { entry, parts, isWithin } = measureBuild(places.build)
const sizes = [entry, ...parts.slice(0, 3)].map(
  ({ name, kilobytes, most }) => `${name} ${kilobytes} of ${most} KB`,
)
console.log(`The dashboard, gzip: ${sizes.join('; ')}.`)
if (!isWithin) {
  const over = [entry, ...parts].filter(({ kilobytes, most }) => kilobytes > most)
  for (const { name, kilobytes, most } of over) {
    problems.push(`The dashboard's ${name} has ${kilobytes} KB gzip, and may have ${most}.`)
  }
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
