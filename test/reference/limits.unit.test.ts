/**
 * Compares the tables of limits with the constants of the code, in both directions. Each value in a table is
 * the constant. Each constant is in a table, or in the list of internal ones.
 */
import { globSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { INNER_LIMITS, TOLD_ELSEWHERE } from './inner-limits.ts'
import { LIMIT_TABLES } from './limit-tables.ts'
import { readPages, tableOf } from './pages.ts'
import { isTold } from './watched-limits.ts'

const LIMITS = path.join(import.meta.dirname, '../../src/core/limits')

describe('Limits are those of the code:', () => {
  test.each(Object.entries(LIMIT_TABLES))('%s', (title, table) => {
    expect(tableOf('Limits', title)).toEqual(Object.entries(table))
  })

  test('those of the last request', () => {
    expect(readPages().get('Hooks')!.sections.get('Last request')).toContain(
      `lists cut to the first ${HOOK_LIMITS.shapeListItems} items,\nstrings to the first ${HOOK_LIMITS.shapeStringChars} characters, for ${HOOK_LIMITS.shapeKeptMs / DAY_MS} days`,
    )
  })
})

/** `HOOK_LIMITS.pathChars` of every constant of `src/core/limits` that is a table. */
async function allLimits(): Promise<string[]> {
  const modules = await Promise.all(
    globSync('*.ts', { cwd: LIMITS }).map(
      (file) => import(path.join(LIMITS, file)) as Promise<Record<string, unknown>>,
    ),
  )
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([table, value]) =>
      typeof value === 'object' && value !== null
        ? Object.keys(value).map((key) => `${table}.${key}`)
        : [],
    ),
  )
}

const tableName = (limit: string) => limit.replace(/\..*/, '')

test('A limit of the code is in a table, or is internal', async () => {
  const all = await allLimits()
  const isNamed = (limit: string) =>
    [limit, tableName(limit)].some((name) => INNER_LIMITS.has(name) || TOLD_ELSEWHERE.has(name))
  expect(
    all.filter((limit) => !isTold(limit) && !isNamed(limit)),
    'belongs into docs/reference/limits.md and limit-tables.ts, or into inner-limits.ts',
  ).toEqual([])
  const there = new Set([...all, ...all.map(tableName)])
  const named = [...INNER_LIMITS, ...TOLD_ELSEWHERE]
  expect(named.filter((limit) => isTold(limit) || !there.has(limit))).toEqual([])
})
