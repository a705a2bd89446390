/**
 * `npm run check`: refuses prose that a newcomer would not understand, in comments, titles and rows of tests, log
 * messages, dictionaries, settings, migrations, Markdown and commit subjects.
 *
 *   node scripts/check-prose.ts                 checks everything
 *   node scripts/check-prose.ts src/core docs   checks these folders or files
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { checkCommits } from './prose/commits.ts'
import { checkMarkdown, type Failure } from './prose/markdown.ts'
import { checkMigration } from './prose/migrations.ts'
import { checkSettings } from './prose/settings.ts'
import { checkSource } from './prose/sources.ts'

const ROOT = path.join(import.meta.dirname, '..')
const SOURCE = /\.(?:ts|tsx|mts|js|mjs)$/
const MIGRATION = /^migrations\/.*\.sql$/
const SETTINGS = /^(?:\.env\.example$|deploy\/)/
const GENERATED = new Set(['src/infra/database/tables.ts'])

function listFiles(): string[] {
  const given = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', given, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  // A file that was deleted stays in the index until the next commit.
  return listed.split('\0').filter((file) => file !== '' && existsSync(path.join(ROOT, file)))
}

function checkFiles(isWanted: (file: string) => boolean): Failure[] {
  return listFiles()
    .filter((file) => isWanted(file) && !GENERATED.has(file))
    .flatMap((file) => {
      const read = () => readFileSync(path.join(ROOT, file), 'utf8')
      if (file.endsWith('.md')) return checkMarkdown(ROOT, file, read())
      if (SOURCE.test(file)) return checkSource(file, read())
      if (MIGRATION.test(file)) return checkMigration(file, read())
      return SETTINGS.test(file) ? checkSettings(file, read()) : []
    })
}

const named = process.argv.slice(2)
const isChecked = (file: string) =>
  named.length === 0 ||
  named.some((one) => file === one || file.startsWith(`${one.replace(/\/$/, '')}/`))
const failures = checkFiles(isChecked)
for (const { file, line, message } of failures) console.error(`${file}:${line}: ${message}`)
const commits = named.length === 0 ? checkCommits(ROOT) : []
for (const line of commits) console.error(line)
const count = failures.length + commits.length
if (count > 0) console.error(`${count} failures`)
process.exitCode = count > 0 ? 1 : 0
