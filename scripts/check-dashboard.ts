/**
 * `npm run check`: compares the dashboard's build with its budget, and checks that packages which must match have one
 * version. It reads the existing build and prints the sizes.
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
  ({ name, kilobytes, max }) => `${name} ${kilobytes} of ${max} KB`,
)
console.log(`The dashboard, gzip: ${sizes.join('; ')}.`)
if (!isWithin) {
  const over = [entry, ...parts].filter(({ kilobytes, max }) => kilobytes > max)
  for (const { name, kilobytes, max } of over) {
    problems.push(`The dashboard's ${name} has ${kilobytes} KB gzip, and may have ${max}.`)
  }
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
