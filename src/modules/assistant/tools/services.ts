/** Bookable services as models and customers name them: by name, never by id. */
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { textIn } from '../../../rules/text/text-in.ts'
import type { Language } from '../../../core/vocabulary/hooks.ts'
import { selectBookableServices } from './offered.sql.ts'
import { readChoiceArgument, WrongInput, type ToolArguments } from './read-input.ts'
import type { ToolContext } from './tool.ts'

/** A service under the name by which the model calls it. */
export type NamedService = { id: string; name: string; minutes: number }

/** Returns the bookable services, each under a unique name. */
export async function listNamedServices(
  db: Kysely<DB>,
  { companyId, language, known }: Pick<ToolContext, 'companyId' | 'language' | 'known'>,
): Promise<NamedService[]> {
  const rows =
    known?.services ?? (await selectBookableServices(sql`${companyId}::uuid`).execute(db)).rows
  const taken = new Map<string, number>()
  return rows.map(({ id, name, nameAr, minutes }) => {
    const called = textIn(languageOfTag(language), name, nameAr)
    const times = (taken.get(called) ?? 0) + 1
    taken.set(called, times)
    return { id, minutes, name: times === 1 ? called : `${called} (${times})` }
  })
}

/** Reads the argument `service`, which may be missing when there is only one. */
export function readService(
  given: ToolArguments,
  services: readonly NamedService[],
): NamedService | WrongInput {
  const names = services.map(({ name }) => name)
  const name = readChoiceArgument(given, 'service', names)
  if (name instanceof WrongInput) return name
  const service = services.find((one) => one.name === name)
  if (service) return service
  if (services.length === 1) return services[0]!
  return new WrongInput(
    services.length === 0
      ? 'Nothing can be booked.'
      : `service must be one of ${names.join(', ')}.`,
  )
}

/** Returns the language of a BCP 47 tag, Arabic or English. */
export function languageOfTag(language: string): Language {
  return language.startsWith('ar') ? 'ar' : 'en'
}
