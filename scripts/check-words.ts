/** `npm run check`: reports texts of dictionaries that no code uses. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findUnusedWords } from './words/find-unused.ts'

const PROJECT = path.join(import.meta.dirname, '..')
const files = globSync('src/**/*.{ts,tsx,js}', {
  cwd: PROJECT,
  exclude: ['src/dashboard/node_modules/**'],
})
const unused = findUnusedWords(
  files.map((file) => ({ file, text: readFileSync(path.join(PROJECT, file), 'utf8') })),
)
for (const line of unused) console.error(line)
if (unused.length > 0) process.exitCode = 1
