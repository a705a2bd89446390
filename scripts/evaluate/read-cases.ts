import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import { Case, EvaluationShop } from './case-form.ts'

export const EVALUATION = path.join(import.meta.dirname, '../../evaluation')

/** The errors of evaluation files: each names the file, the case, the field and the rule. */
export class WrongCase extends Error {}

/**
 * Reads the cases of the folder in their order, and their shop. `only` is a group or an id.
 * @throws `WrongCase` with all errors together
 */
export function readCases(
  folder: string,
  only: string | null = null,
): { shop: EvaluationShop; cases: Case[] } {
  const wrong: string[] = []
  const shop = readShop(path.join(folder, 'shop.json'), wrong)
  const files = globSync('cases/*.json', { cwd: folder }).toSorted()
  const cases = files.flatMap((file) => readFile(folder, file, wrong))
  const seen = new Set<string>()
  for (const { id, group } of cases) {
    if (seen.has(id)) wrong.push(`${id}: there are two cases of this id`)
    if (!id.startsWith(`${group}-`)) wrong.push(`${id}: its group is ${group}`)
    seen.add(id)
  }
  if (files.length === 0) wrong.push(`${folder}: there is no cases/*.json`)
  if (wrong.length > 0 || !shop) throw new WrongCase(wrong.join('\n'))
  const chosen = only === null ? cases : cases.filter(({ id, group }) => [id, group].includes(only))
  if (chosen.length === 0) {
    throw new WrongCase(`--only ${only}: no case has this id or group`)
  }
  return { shop, cases: chosen }
}

function readShop(file: string, wrong: string[]): EvaluationShop | null {
  const read = readAs(EvaluationShop, readJson(file, wrong))
  if (read.ok) return read.value
  wrong.push(...read.wrong.map((why) => `${path.basename(file)}: ${why}`))
  return null
}

function readFile(folder: string, file: string, wrong: string[]): Case[] {
  const json = readJson(path.join(folder, file), wrong)
  if (!Array.isArray(json)) {
    wrong.push(`${file}: must be a list of cases`)
    return []
  }
  return json.flatMap((one: unknown, place) => {
    const read = readAs(Case, one)
    if (read.ok) return [read.value]
    const { id } = (one ?? {}) as { id?: unknown }
    const who = typeof id === 'string' ? id : `case ${place + 1}`
    wrong.push(...read.wrong.map((why) => `${file}, ${who}: ${why}`))
    return []
  })
}

function readJson(file: string, wrong: string[]): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    wrong.push(`${path.basename(file)}: cannot be read: ${(error as Error).message}`)
    return null
  }
}

type Read<Value> = { ok: true; value: Value } | { ok: false; wrong: string[] }

function readAs<Value>(form: z.ZodType<Value>, json: unknown): Read<Value> {
  const read = form.safeParse(json)
  if (read.success) return { ok: true, value: read.data }
  return {
    ok: false,
    wrong: read.error.issues.map(({ path: field, message }) =>
      field.length === 0 ? message : `${field.join('.')}: ${message}`,
    ),
  }
}
