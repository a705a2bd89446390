/** `npm run check`: refuses imports of modules and packages that the allow-list does not name. */
import path from 'node:path'
import { findViolations } from './boundaries/find-violations.ts'
import { listSources } from './boundaries/list-sources.ts'

const violations = findViolations(listSources(path.join(import.meta.dirname, '..')))
for (const violation of violations) console.error(violation)
if (violations.length > 0) process.exitCode = 1
